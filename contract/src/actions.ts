import { z } from 'zod'
import { Limit, TeamId, Timestamp, UnixMs } from './fields.ts'
import { MAX_ADMIN_LIMIT } from './filters.ts'
import { badPerms } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'
import { parseTimestamp } from './timestamps.ts'

// The action log: who did what, before and after. docs/reference/actions.md

/** The `actor` of commands. */
export const COMMAND_LINE = 'command-line'

/** The name of the actor, which has no id, of pushed scores. */
export const PUSHED_SCORES = 'pushed scores'

/** Fields and their values. Secrets are `{ secret: <hash> }`, long values `{ truncated, bytes, sha256 }`. */
const Side = z.record(z.string(), z.unknown()).nullable()

export const Action = z.object({
  seq: z.int(),
  at: UnixMs,
  actor: z
    .object({
      id: z.string().nullable(),
      name: z.string().nullable(),
      person: z
        .object({ id: z.string(), name: z.string().nullable() })
        .optional()
        .describe('Who of the team it was; absent for the token of the team itself.'),
      apiToken: z
        .object({ id: z.string(), name: z.string() })
        .optional()
        .describe('The API token that was used; absent without one.'),
    })
    .describe(
      'Names as they were then. Both null for a team that was deleted meanwhile; the id is null for the command line and for pushed scores.',
    ),
  action: z.string().describe('`<object>.<verb>`, such as `challenge.update`.'),
  route: z.string().nullable().describe('The route or the command; null for entries of older versions.'),
  targets: z
    .array(z.object({ id: z.string(), name: z.string().nullable() }))
    .describe('What was changed, with its current name if it still exists, or else the one in the entry.'),
  before: Side,
  after: Side,
  ip: z.string().nullable().describe('Null for commands.'),
  requestId: z.string().nullable(),
  undoes: z.int().nullable().describe('The entry that this one takes back.'),
  undoneBy: z.int().nullable().describe('The last entry that takes this one back.'),
  canUndo: z.boolean().describe('Whether the caller may undo it, unless its target has changed since.'),
  previousHash: z.string(),
  hash: z.string(),
})

export const ActionHead = z.object({ seq: z.int(), hash: z.string() })

export const goodActions = reply(
  200,
  'goodActions',
  'Actions.',
  z.object({
    actions: z.array(Action),
    next: z.int().nullable().describe('The `before` of the next page; null after the last.'),
    head: ActionHead.describe('The newest entry, whatever the filter.'),
  }),
)
export const goodActionFile = reply(200, 'goodActionFile', 'Actions.')
export const goodActionUndo = reply(
  200,
  'goodActionUndo',
  'The action was undone.',
  z.object({ action: Action }),
)
export const badAction = reply(404, 'badAction', 'No such action.')
export const badActionUndo = reply(409, 'badActionUndo', 'This action cannot be undone.')
export const badActionChanged = reply(
  409,
  'badActionChanged',
  'What this action changed has been changed again since. Nothing was undone.',
  z.object({
    fields: z
      .array(z.string())
      .describe(
        'The fields with other values than after the action; empty if their object does not exist any more.',
      ),
  }),
)

const filter = {
  actor: TeamId.optional().describe('The id of a team, or `command-line`.'),
  action: z
    .string()
    .max(64)
    .regex(/^[a-z-]+(\.[a-z-]+)*$/)
    .optional()
    .describe('`challenge.update`, or `challenge` for all of `challenge.*`.'),
  target: z.string().min(1).max(255).optional().describe('The id of what was changed.'),
  after: Timestamp.optional(),
  until: Timestamp.optional().describe('Exclusive.'),
}

const isOrdered = ({ after, until }: { after?: string | undefined; until?: string | undefined }) =>
  after === undefined || until === undefined || parseTimestamp(after) < parseTimestamp(until)
const unordered = { path: ['after'], error: 'must be earlier than until' }

const Seq = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, { error: 'must be a sequence number' })
  .transform(Number)
  .meta({ type: 'integer', minimum: 1 })

const log = {
  path: '/api/v2/admin/actions',
  auth: 'required',
  // What an entry contains takes these permissions elsewhere.
  perms: ['challsRead', 'usersWrite', 'settingsWrite'],
} as const

export const listActions = organiserRoute({
  ...log,
  method: 'GET',
  summary: 'What organisers and commands did, newest first.',
  scope: 'organise:read',
  query: z
    .object({
      ...filter,
      limit: Limit.refine((limit) => limit <= MAX_ADMIN_LIMIT, {
        error: `must be at most ${MAX_ADMIN_LIMIT}`,
      })
        .meta({ type: 'integer', minimum: 1, maximum: MAX_ADMIN_LIMIT })
        .optional(),
      before: Seq.optional().describe('Only entries with smaller numbers.'),
    })
    .refine(isOrdered, unordered),
  replies: [goodActions],
})

const exported = {
  ...log,
  method: 'GET',
  query: z.object(filter).refine(isOrdered, unordered),
  secret: true,
  limits: ['organiserJobs'],
  replies: [goodActionFile],
} as const

export const exportActionsCsv = route({
  ...exported,
  path: '/api/v2/admin/actions.csv',
  summary: 'The action log as CSV, oldest entry first.',
  scope: 'organise:read',
  file: 'text/csv; charset=utf-8',
})

export const exportActionsJson = route({
  ...exported,
  path: '/api/v2/admin/actions.jsonl',
  summary: 'The action log as one line of JSON for each entry, oldest first.',
  scope: 'organise:read',
  file: 'application/jsonl; charset=utf-8',
})

export const undoAction = organiserRoute({
  ...log,
  method: 'POST',
  path: '/api/v2/admin/actions/:id/undo',
  summary: 'Undoes an action with `canUndo`. Takes the permission of the action.',
  scope: null,
  params: z.object({ id: Seq }),
  replies: [goodActionUndo, badPerms, badAction, badActionUndo, badActionChanged],
})

export const actionRouteList = [listActions, exportActionsCsv, exportActionsJson, undoAction] as const
