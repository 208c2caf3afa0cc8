import { z } from 'zod'
import { TeamId, UnixMs } from './fields.ts'
import { AdminPage } from './filters.ts'
import { badUnknownUser } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'

// Points that organisers award to a team or deduct: docs/reference/scoring.md#score-adjustments

/** Points of one adjustment, characters of its reason, and adjustments that one team can have. */
export const adjustmentLimits = { points: 1_000_000, reason: 200, perTeam: 500 }

export const AdjustmentKind = z.enum(['manual', 'hint'])

const shown = {
  id: z.string(),
  points: z.int().describe('Not zero; negative if deducted.'),
  reason: z.string(),
  kind: AdjustmentKind,
  at: UnixMs,
}

/** As everyone sees it. */
export const ScoreAdjustment = z.object(shown)

export const AdminScoreAdjustment = z.object({
  ...shown,
  teamId: z.string(),
  teamName: z.string(),
  createdBy: z.string().nullable().describe('The organiser; null for the price of a hint.'),
  createdByName: z
    .string()
    .nullable()
    .describe('Null for the price of a hint, and if that account was deleted.'),
  undoneAt: UnixMs.nullable().describe('An adjustment that was undone counts nowhere.'),
  undoneBy: z.string().nullable(),
  undoneByName: z.string().nullable(),
})

export const goodScoreAdjustments = reply(
  200,
  'goodScoreAdjustments',
  'Score adjustments.',
  z.object({ adjustments: z.array(ScoreAdjustment) }),
)
export const goodAdminScoreAdjustments = reply(
  200,
  'goodAdminScoreAdjustments',
  'Score adjustments.',
  z.object({ total: z.int(), adjustments: z.array(AdminScoreAdjustment) }),
)
export const goodScoreAdjustment = reply(
  200,
  'goodScoreAdjustment',
  'The score was adjusted.',
  z.object({ adjustment: AdminScoreAdjustment }),
)
export const goodScoreAdjustmentUndo = reply(
  200,
  'goodScoreAdjustmentUndo',
  'The score adjustment was undone.',
  z.object({ adjustment: AdminScoreAdjustment }),
)
export const badScoreAdjustment = reply(404, 'badScoreAdjustment', 'No such score adjustment.')
export const badScoreAdjustmentUndone = reply(
  409,
  'badScoreAdjustmentUndone',
  'The score adjustment is already undone.',
)
export const badScoreAdjustmentCount = reply(
  409,
  'badScoreAdjustmentCount',
  'The team has too many score adjustments.',
  z.object({ max: z.int() }),
)

export const listScoreAdjustments = route({
  method: 'GET',
  path: '/api/v2/users/:id/adjustments',
  summary: 'What organisers awarded to a team or deducted, newest first.',
  auth: 'public',
  scope: 'read',
  gate: { started: 'challsRead' },
  shows: ['profiles', 'scoreboard'],
  // Whether the reason of a hint's price names its challenge.
  personal: true,
  params: z.object({ id: TeamId }),
  limits: [],
  replies: [goodScoreAdjustments, badUnknownUser],
})

const admin = {
  path: '/api/v2/admin/adjustments',
  perms: ['challsSolveWrite'],
} as const

export const listAdminScoreAdjustments = organiserRoute({
  ...admin,
  method: 'GET',
  summary: 'A page of the adjustments of one team or of all, newest first.',
  scope: 'organise:read',
  query: AdminPage.extend({ userId: TeamId.optional().describe('Only those of this team.') }),
  replies: [goodAdminScoreAdjustments],
})

export const createScoreAdjustment = organiserRoute({
  ...admin,
  method: 'POST',
  summary: 'Awards points to a team, or deducts them.',
  scope: 'submissions:write',
  body: z.object({
    data: z.object({
      userId: TeamId,
      points: z
        .int()
        .min(-adjustmentLimits.points)
        .max(adjustmentLimits.points)
        .refine((points) => points !== 0, 'must not be 0'),
      reason: z.string().trim().min(1).max(adjustmentLimits.reason).describe('Everyone sees it.'),
    }),
  }),
  bodyCap: 'admin',
  replies: [goodScoreAdjustment, badUnknownUser, badScoreAdjustmentCount],
})

export const undoScoreAdjustment = organiserRoute({
  ...admin,
  method: 'DELETE',
  path: '/api/v2/admin/adjustments/:id',
  params: z.object({ id: z.string().min(1).max(255) }),
  summary: 'Undoes an adjustment. It stays in the list and counts nowhere.',
  scope: 'submissions:write',
  replies: [goodScoreAdjustmentUndo, badScoreAdjustment, badScoreAdjustmentUndone],
})

export const scoreAdjustmentRouteList = [
  listScoreAdjustments,
  listAdminScoreAdjustments,
  createScoreAdjustment,
  undoScoreAdjustment,
] as const
