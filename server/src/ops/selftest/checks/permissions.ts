import { allRoutes } from '@pennant/contract/all.ts'
import { hasPermissions, permissions, type Permission } from '@pennant/contract/permissions.ts'
import type { Route } from '@pennant/contract/route.ts'
import { addressWith } from '../addresses.ts'
import type { Check, Report } from '../check.ts'
import { phases, type Phase } from '../event.ts'
import type { Fixture } from '../fixture.ts'
import { anonymous, type Role } from '../roles.ts'
import type { WireRequest } from '../wire.ts'

// Authentication, permissions and gates of every route, before any lookup: uses ids that do not exist and
// empty bodies, so that a missing check changes nothing.

function requestOf(route: Route, { ids }: Fixture, role: Role): WireRequest {
  const body = route.body ? { json: {} } : route.form ? { form: new FormData() } : {}
  return { method: route.method, path: addressWith(route, ids.absent), token: role.team?.token, ...body }
}

/** The kind with which the route must refuse the role; null when the request may proceed. */
function refusalOf(route: Route, role: Role): string | null {
  if (route.auth !== 'required') return null
  if (!role.team) return 'badToken'
  if (!hasPermissions(role.perms, route.perms ?? [])) return 'badPerms'
  return route.notBanned && role.isBanned ? 'badPerms' : null
}

async function expectKind(
  fixture: Fixture,
  report: Report,
  { route, role, wanted }: { route: Route; role: Role; wanted: string },
): Promise<void> {
  const request = requestOf(route, fixture, role)
  const { status, kind } = await fixture.wire.send(request)
  if (kind === wanted) return
  report.finding(
    { method: route.method, path: request.path },
    role,
    `the response was ${status} ${kind ?? '(no kind)'} instead of ${wanted}`,
  )
}

export const permissionChecks: readonly Check[] = [
  {
    name: 'permissions',
    category: 'S6',
    about:
      'Every route refuses callers without a token, without its permissions, and banned teams where it says so.',
    advice: 'Report it as a vulnerability. Until it is fixed, block the path at the proxy.',
    async run(fixture, report) {
      const cases = allRoutes.flatMap((route) =>
        fixture.roles.flatMap((role) => {
          const wanted = refusalOf(route, role)
          return wanted === null ? [] : [{ route, role, wanted }]
        }),
      )
      await Promise.all(cases.map((each) => expectKind(fixture, report, each)))
      reportUncovered(fixture, report)
    },
  },
  {
    name: 'service-routes',
    category: 'S6',
    about: 'Routes of workers and webhooks refuse the tokens of teams.',
    advice: 'Report it as a vulnerability. Until it is fixed, block the path at the proxy.',
    async run(fixture, report) {
      const routes = allRoutes.filter(({ auth }) => auth === 'service' || auth === 'signature')
      for (const route of routes) {
        for (const role of [anonymous, fixture.player, fixture.admin]) {
          const { method, path } = requestOf(route, fixture, role)
          const reply = await fixture.wire.send(requestOf(route, fixture, role))
          if (['badToken', 'badEndpoint', 'badSignature'].includes(reply.kind ?? '')) continue
          const found = `the response was ${reply.status} ${reply.kind ?? ''} instead of a refusal`
          report.finding({ method: method ?? '', path }, role, found)
        }
      }
    },
  },
  {
    name: 'gates',
    category: 'S3',
    about: 'Before the start and after the end, every gated route is closed for teams without permissions.',
    advice: 'Report it as a vulnerability. Check that the clock of the server is correct.',
    async run(fixture, report) {
      for (const phase of phases) {
        if (phase === 'during') continue
        await fixture.times.enter(phase)
        await Promise.all(gatedCases(fixture, phase).map((each) => expectKind(fixture, report, each)))
      }
    },
  },
]

function gatedCases({ player, rival }: Fixture, phase: Phase) {
  return allRoutes.flatMap((route) => {
    const wanted = phase === 'before' ? 'badNotStarted' : 'badEnded'
    const isClosed = phase === 'before' ? route.gate !== undefined : route.gate?.beforeEnd !== undefined
    if (!isClosed || (route.perms?.length ?? 0) > 0) return []
    const callers: Role[] = route.auth === 'required' ? [player] : [anonymous, rival]
    return callers.map((role) => ({ route, role, wanted }))
  })
}

/** Notes the permission bits that no token could test. */
function reportUncovered({ organisers }: Fixture, report: Report): void {
  const names = Object.keys(permissions) as Permission[]
  const missing = names.filter((name) => !organisers.some(({ perms }) => perms === permissions[name]))
  if (missing.length === 0) return
  const example = '`pennant admin create --perms <bit> --json` makes one'
  report.note(`no --organiser token with only ${missing.join(', ')} was given: ${example}`)
}
