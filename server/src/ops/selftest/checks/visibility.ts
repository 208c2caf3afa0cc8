import { setTimeout as sleep } from 'node:timers/promises'
import { allRoutes } from '@pennant/contract/all.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import type { Route } from '@pennant/contract/route.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { addressesOf, addressWith, paramNames, readRoutes } from '../addresses.ts'
import type { Check, Report } from '../check.ts'
import { phases, type Phase } from '../event.ts'
import type { Fixture } from '../fixture.ts'
import { pollStream, type Polled } from '../poll-stream.ts'
import { anonymous, mayShow, type Role } from '../roles.ts'
import type { Reply } from '../wire.ts'

// The differential crawl: every route that reads, as every role, before, during and after the event.

/** Pages of the site that contain the configuration. */
const PAGES = ['/', '/challs', '/scores', '/robots.txt', '/metrics', '/api/readyz', '/no/such/page']

interface Visit {
  readonly route: Route | null
  readonly path: string
  readonly role: Role
}

async function visit(
  fixture: Fixture,
  { route, path, role }: Visit,
  report: (found: string) => void,
): Promise<void> {
  const reply = await fixture.wire.send({ path, token: role.team?.token })
  for (const { label, part } of leaksIn(fixture, reply, { route, role })) {
    report(`${label} is in the ${part} of the response (${reply.status})`)
  }
}

function leaksIn({ secrets }: Fixture, { text, headers }: Reply, { route, role }: Omit<Visit, 'path'>) {
  const head = Object.entries(headers).map(([name, value]) => ({
    part: `header ${name}`,
    text: String(value),
  }))
  const parts = [{ part: 'body', text }, ...head]
  return secrets.flatMap((secret) => {
    const found = parts.find((part) => part.text.includes(secret.text))
    return !found || mayShow(secret, route, role) ? [] : [{ label: secret.label, part: found.part }]
  })
}

function visitsIn(fixture: Fixture, phase: Phase): Visit[] {
  const { ids, roles, player, rival, pages } = fixture
  const few = [ids.open, ids.hidden, ids.future, player.team.id, pages.draft]
  // Only challenges depend on the phase, so one phase is enough to try all ids.
  const places = phase === 'during' ? [...few, ids.scored, rival.team.id, fixture.client.id] : few
  return roles.flatMap((role) => {
    // Searches are rate-limited: two roles in one phase cover everything they can show.
    const searches = phase === 'during' && (role === anonymous || role.name === player.name)
    const ofRoutes = readRoutes.flatMap((route) =>
      addressesOf(route, places)
        .filter((path) => searches || !/[?&]search=/.test(path))
        .map((path) => ({ route, path, role })),
    )
    return [...ofRoutes, ...PAGES.map((path) => ({ route: null, path, role }))]
  })
}

export const visibilityChecks: readonly Check[] = [
  {
    name: 'hidden-edits',
    category: 'S6',
    about: 'The live stream does not show when organisers edit a hidden challenge.',
    advice: 'Report it as a vulnerability.',
    run: editHidden,
  },
  {
    name: 'crawl',
    category: 'S6',
    about:
      'No response shows a hidden or unreleased challenge, a flag, a secret or an address to a role that may not ' +
      'read it, before, during or after the event.',
    advice: 'Report it as a vulnerability. Until it is fixed, delete hidden challenges or block the path.',
    async run(fixture, report) {
      for (const phase of phases) {
        await fixture.times.enter(phase)
        await Promise.all(
          visitsIn(fixture, phase).map((each) =>
            visit(fixture, each, (found) => {
              const { path, role } = each
              report.finding({ path }, `${role.name}, ${phase} the event`, found)
            }),
          ),
        )
      }
    },
  },
  {
    name: 'existence',
    category: 'S6',
    about: 'A hidden or unreleased challenge gets the same response as one that does not exist.',
    advice: 'Report it as a vulnerability: the difference shows players that the challenge exists.',
    run: compareWithAbsent,
  },
  {
    name: 'etags-and-lengths',
    category: 'S6',
    about: 'Public responses do not change with a hidden challenge, not even in length or ETag.',
    advice: 'Report it as a vulnerability: players see when a hidden challenge is edited.',
    run: compareAroundAnEdit,
  },
]

async function compareWithAbsent(fixture: Fixture, report: Report): Promise<void> {
  const { ids, flags, player, banned, wire } = fixture
  const routes = allRoutes.filter(
    (route) => paramNames(route).length > 0 && !route.perms && route.auth !== 'service' && !route.form,
  )
  for (const route of routes) {
    for (const role of [anonymous, player, banned]) {
      const replyTo = async (id: string) => {
        const body = route.body
          ? { json: bodyFor(route, id === ids.hidden ? flags.hidden : flags.future) }
          : {}
        const path = addressWith(route, id)
        const reply = await wire.send({ method: route.method, path, token: role.team?.token, ...body })
        return shapeOf(reply, id)
      }
      const absent = await replyTo(ids.absent)
      for (const id of [ids.hidden, ids.future]) {
        const shape = await replyTo(id)
        if (shape === absent) continue
        const found = `the response differs from that for an id that does not exist: ${shape}, ${absent}`
        report.finding({ method: route.method, path: addressWith(route, id) }, role, found)
      }
    }
  }
}

/** A valid body, with the correct flag where there is one. */
function bodyFor({ path }: Route, flag: string): unknown {
  if (path.endsWith('/submit')) return { flag }
  return path.endsWith('/admin-bot') ? { inputs: { url: 'https://example.org/' } } : {}
}

function shapeOf({ status, headers, text }: Reply, id: string): string {
  const body = text.replaceAll(id, '<id>')
  return `${status} ${body.slice(0, 300)} (${body.length} bytes, ETag ${headers['etag'] ?? 'none'})`
}

interface Seen {
  readonly text: string
  readonly etag: string
}

async function compareAroundAnEdit(fixture: Fixture, report: Report): Promise<void> {
  const { call, admin, ids, run } = fixture
  const { token } = admin.team
  const targets = [anonymous, fixture.player].flatMap((role) =>
    readRoutes
      .filter((route) => !route.perms && !route.secret && route.auth !== 'service')
      .flatMap((route) => [{ role, path: addressWith(route, ids.open) }]),
  )
  const readEditedPage = () =>
    Promise.all(
      targets.map(async ({ role, path }): Promise<Seen> => {
        const { text, headers } = await fixture.wire.send({ path, token: role.team?.token })
        return { text, etag: String(headers['etag'] ?? '') }
      }),
    )
  const edit = async (description: string, points: { min: number; max: number }) => {
    const body = { data: { description, points } }
    const saved = await call(putChallengeV2, { token, params: { id: ids.hidden }, body })
    if (saved.kind !== 'goodChallengeUpdateV2') throw new Error(`could not edit a challenge: ${saved.kind}`)
  }
  const original = `${run}-hidden-description`
  const first = await readEditedPage()
  await edit(`${original}${' and more'.repeat(100)}`, { min: 1, max: 1000 })
  const edited = await readEditedPage()
  await edit(original, { min: 100, max: 500 })
  const restored = await readEditedPage()
  for (const [index, { role, path }] of targets.entries()) {
    const [before, during, after] = [first[index], edited[index], restored[index]]
    // A body that does not return to its first state changes over time, not with the challenge.
    if (!before || !during || before.text !== after?.text) continue
    if (during.text === before.text && during.etag === before.etag) continue
    const what = during.text === before.text ? 'ETag' : 'body'
    report.finding({ path }, role, `its ${what} changed with a hidden challenge`)
  }
}

/** A replica reads an edit within a second. */
const POLLS = 8
const POLL_MS = 200
/** What others do at the same time may be public. An edit that shows does so each time. */
const EDITS = 4

async function editHidden(fixture: Fixture, report: Report): Promise<void> {
  const { path } = openStream
  const finding = (found: string) => report.finding({ path }, 'anonymous', found)
  let shown: string | null = null
  for (let count = 0; count < EDITS; count += 1) {
    // What was seeded is in the first ones.
    const start = await pollStream(fixture.wire, { after: (await pollStream(fixture.wire)).id })
    if (/^\d+[-.:]/.test(start.id)) return finding('event ids show numbers or times')
    const points = { min: 100, max: 400 + count }
    const { token } = fixture.admin.team
    const body = { data: { hidden: true, points } }
    const { kind } = await fixture.call(putChallengeV2, { token, params: { id: fixture.ids.hidden }, body })
    if (kind !== 'goodChallengeUpdateV2')
      return report.note(`the hidden challenge could not be edited (${kind})`)
    shown = await shownAfter(fixture, start)
    if (shown === null) return
  }
  finding(`after the edit, the stream sent ${shown}`)
}

/** What polls from a position have besides what the first of them had, or null. */
async function shownAfter({ wire }: Fixture, { id, names: before }: Polled): Promise<string | null> {
  for (let count = 0; count < POLLS; count += 1) {
    await sleep(POLL_MS)
    const { names } = await pollStream(wire, { after: id })
    if (names.join() !== before.join()) return `${names.join(', ')} instead of ${before.join(', ')}`
  }
  return null
}
