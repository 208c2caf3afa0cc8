import { hasPermissions, type Permission } from '@pennant/contract/permissions.ts'
import * as replies from '@pennant/contract/replies.ts'
import type { ApiResponse, Route } from '@pennant/contract/route.ts'
import type { MockCall, MockEndpoint } from './handler.ts'
import { teamOfToken, type MockTeam, type World } from './world.ts'

/** A request before any check. */
export interface Incoming {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly authorization: string | null
  readonly body: string
  readonly form: FormData | null
}

// The server's defaults.
const MAXIMA = { maxLimit: 100, maxOffset: 4_294_967_296, graphMaxTeams: 10, graphWithListLimit: 100 }

/**
 * Handles one request: the checks in their order, then the handler.
 * docs/reference/requests-and-responses.md#order-of-checks
 */
export function run({ route, handle }: MockEndpoint, world: World, incoming: Incoming): ApiResponse {
  const bearer = /^bearer ([^ ]+)$/i.exec(incoming.authorization ?? '')?.[1]
  const team = bearer === undefined ? null : teamOfToken(world, bearer)
  const refusal = refusedBy(route, team) ?? gated(route, team, world)
  if (refusal) return refusal
  try {
    const call = {
      world,
      team: route.auth === 'public' ? null : team,
      form: incoming.form,
      ...parsed(route, incoming),
    }
    return handle(call as MockCall<Route>)
  } catch (error) {
    if (error instanceof Refused) return error.response
    throw error
  }
}

class Refused extends Error {
  readonly response: ApiResponse

  constructor(response: ApiResponse) {
    super(response.reply.kind)
    this.response = response
  }
}

function refusedBy({ auth, perms = [], notBanned }: Route, team: MockTeam | null): ApiResponse | null {
  if (auth !== 'required') return null
  if (!team) return replies.badToken()
  if (!hasPermissions(team.perms, perms)) return replies.badPerms()
  return notBanned && team.banned ? replies.badPerms() : null
}

function gated({ gate }: Route, team: MockTeam | null, world: World): ApiResponse | null {
  if (!gate) return null
  const may = (bit: Permission) => team !== null && hasPermissions(team.perms, [bit])
  if (world.now() < world.startTime && !may(gate.started)) return replies.badNotStarted()
  if (gate.beforeEnd && world.now() >= world.endTime && !may(gate.beforeEnd)) return replies.badEnded()
  return null
}

function parsed(route: Route, incoming: Incoming) {
  const body = route.body && check('body', route.body, jsonOf(incoming.body))
  const params = route.params && check('params', route.params, incoming.params)
  const query = route.query && check('query', route.query, incoming.query)
  for (const [field, maximum] of Object.entries(route.maxima ?? {})) {
    const value = (query as Readonly<Record<string, unknown>> | undefined)?.[field]
    if (typeof value === 'number' && value > MAXIMA[maximum])
      throw new Refused(replies.badBody({ reason: `query:${field}: must be at most ${MAXIMA[maximum]}` }))
  }
  return { body, params, query }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(replies.badJson())
  }
}

function check(source: string, schema: NonNullable<Route['body']>, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const named = issue?.code === 'custom' ? issue.params?.['reply'] : undefined
  if (named === 'badEmail') throw new Refused(replies.badEmail())
  if (named === 'badName') throw new Refused(replies.badName())
  const path = issue?.path.map(String).join('.') ?? ''
  throw new Refused(replies.badBody({ reason: `${source}:${path}: ${issue?.message ?? 'is not valid'}` }))
}
