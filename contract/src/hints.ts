import { z } from 'zod'
import { ChallengeId, UnixMs } from './fields.ts'
import { instantUntil } from './instants.ts'
import { badChallenge, badEnded, badNotStarted, badPerms } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'
import { badScoreAdjustmentCount } from './score-adjustments.ts'

// Hints of challenges: docs/reference/hints.md

/**
 * Hints of one challenge and of all, characters of a text, points of a price, and minutes after the release of the challenge
 * (a year).
 */
export const hintLimits = {
  perChallenge: 20,
  stored: 2_000,
  text: 10_000,
  price: 1_000_000,
  minutes: 366 * 24 * 60,
}

/** The latest time of a release: the end of the year 9998. */
const LAST_TIME = Date.UTC(9999, 0, 1) - 1

export const HintId = z.string().min(1).max(64)
const Price = z.int().min(0).max(hintLimits.price)
const Text = z
  .string()
  .max(hintLimits.text)
  .refine((text) => text.trim() !== '', 'must not be empty')

/** A hint of a challenge as the caller's team sees it. Only released ones and those that it bought are listed. */
export const Hint = z.object({
  id: z.string(),
  price: z.int().describe('What it costs, or what the team paid for it. 0: free.'),
  bought: z.boolean(),
  text: z.string().nullable().describe('Markdown; null if the team has to buy it first.'),
})

/** When a hint is released. `after`: minutes after the release of its challenge. */
export const HintRelease = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('manual') }),
  z.object({ kind: z.literal('time'), at: instantUntil(LAST_TIME) }),
  z.object({ kind: z.literal('after'), minutes: z.int().min(0).max(hintLimits.minutes) }),
])

export const AdminHint = z.object({
  id: z.string(),
  challengeId: z.string(),
  text: z.string(),
  price: z.int(),
  release: HintRelease,
  releaseAt: UnixMs.nullable().describe('Unix milliseconds; null if it waits for an organiser.'),
  purchases: z.int().describe('Teams that bought it.'),
  version: z.int(),
})

export const goodHints = reply(
  200,
  'goodHints',
  'Hints.',
  z.object({
    hints: z.array(Hint),
    score: z
      .int()
      .nullable()
      .describe(
        'What the team can pay with: its score, in a freeze as far as it may know it. Null without a team.',
      ),
  }),
)
export const goodHint = reply(
  200,
  'goodHint',
  'The hint.',
  z.object({
    hint: Hint,
    charged: z.int().describe('What this request took from the score: 0 if the team had the hint already.'),
  }),
)
export const badHint = reply(404, 'badHint', 'No such hint.')
export const badHintPrice = reply(
  409,
  'badHintPrice',
  'The price has changed. Nothing was charged.',
  z.object({ price: z.int() }),
)
export const badHintPoints = reply(409, 'badHintPoints', 'Your team does not have enough points.')
export const badHintSolved = reply(
  409,
  'badHintSolved',
  'Your team has solved the challenge already. Nothing was charged.',
)

export const goodAdminHints = reply(
  200,
  'goodAdminHints',
  'Hints of the challenge.',
  z.object({ hints: z.array(AdminHint) }),
)
export const goodAdminHint = reply(200, 'goodAdminHint', 'The hint was saved.', z.object({ hint: AdminHint }))
export const goodHintDelete = reply(
  200,
  'goodHintDelete',
  'The hint was deleted.',
  z.object({ refunded: z.int() }),
)
export const badHintVersion = reply(
  409,
  'badHintVersion',
  'Someone else has edited the hint in the meantime.',
  z.object({ version: z.int() }),
)
export const badHintCount = reply(
  409,
  'badHintCount',
  'There are too many hints.',
  z.object({ max: z.int() }),
)
export const badHintOrder = reply(
  409,
  'badHintOrder',
  'The order must name each hint of the challenge once. Someone else may have added or deleted one.',
)
export const badHintBought = reply(
  409,
  'badHintBought',
  'Teams have bought this hint. Delete it with `refund` to give them their points back.',
  z.object({ purchases: z.int() }),
)

const ofChallenge = { params: z.object({ id: ChallengeId }) } as const
const gate = { started: 'challsRead' } as const

export const listHints = route({
  ...ofChallenge,
  method: 'GET',
  path: '/api/v2/challs/:id/hints',
  summary: 'The released hints of a challenge. Texts that the team has to buy are left out.',
  auth: 'optional',
  scope: 'read',
  gate,
  shows: ['challenges'],
  limits: [],
  replies: [goodHints, badChallenge],
})

export const buyHint = route({
  ...ofChallenge,
  method: 'POST',
  path: '/api/v2/challs/:id/hints/:hintId/purchase',
  params: z.object({ id: ChallengeId, hintId: HintId }),
  summary: 'Buys a hint for the team, once. The text of one that it has costs nothing.',
  auth: 'required',
  scope: 'submit',
  notBanned: true,
  gate,
  shows: ['challenges'],
  body: z.object({
    price: Price.describe('What the player confirmed. With another price nothing is bought.'),
  }),
  bodyCap: 'account',
  publicDemo: true,
  limits: ['teamWrites'],
  replies: [
    goodHint,
    badPerms,
    badNotStarted,
    badEnded,
    badChallenge,
    badHint,
    badHintPrice,
    badHintPoints,
    badHintSolved,
    badScoreAdjustmentCount,
  ],
})

const write = {
  auth: 'required',
  perms: ['challsRead', 'challsWrite'],
  scope: 'challenges:write',
  bodyCap: 'admin',
  limits: ['organiserCalls'],
} as const
const refused = [] as const
const one = { path: '/api/v2/admin/hints/:id', params: z.object({ id: HintId }) } as const
const Version = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)

export const listAdminHints = organiserRoute({
  ...ofChallenge,
  method: 'GET',
  path: '/api/v2/admin/challs/:id/hints',
  summary: 'All hints of a challenge, with their texts and how many teams bought them.',
  perms: ['challsRead'],
  scope: 'challenges:read',
  replies: [goodAdminHints, badChallenge],
})

export const createHint = route({
  ...write,
  method: 'POST',
  path: '/api/v2/admin/challs/:id/hints',
  params: z.object({ id: ChallengeId }),
  summary: 'Adds a hint after the others. Without a release it waits for an organiser.',
  body: z.object({
    data: z.object({
      text: Text,
      price: Price.default(0),
      release: HintRelease.default({ kind: 'manual' }),
    }),
  }),
  replies: [goodAdminHint, ...refused, badChallenge, badHintCount],
})

export const orderHints = route({
  ...write,
  method: 'PUT',
  path: '/api/v2/admin/challs/:id/hints/order',
  params: z.object({ id: ChallengeId }),
  summary: 'Puts the hints of a challenge in another order.',
  body: z.object({ data: z.object({ hintIds: z.array(HintId).max(hintLimits.perChallenge) }) }),
  replies: [goodAdminHints, ...refused, badChallenge, badHintOrder],
})

export const updateHint = route({
  ...write,
  ...one,
  method: 'PUT',
  summary:
    'Changes the fields that are sent. Teams that bought the hint read the new text and keep what they paid.',
  body: z.object({
    data: z.object({
      version: Version.describe('The version that was edited.'),
      text: Text.optional(),
      price: Price.optional(),
      release: HintRelease.optional().describe(
        '`manual` withdraws a released hint from teams that have not bought it.',
      ),
    }),
  }),
  replies: [goodAdminHint, ...refused, badHint, badHintVersion],
})

export const releaseHint = organiserRoute({
  ...one,
  method: 'POST',
  path: '/api/v2/admin/hints/:id/release',
  summary: 'Releases a hint now, whatever its release says. No error if it is released.',
  perms: ['challsRead', 'challsWrite'],
  scope: 'challenges:write',
  replies: [goodAdminHint, badHint],
})

export const deleteHint = organiserRoute({
  ...one,
  method: 'DELETE',
  summary: 'Deletes a hint. One that teams bought only with `refund`, which gives them their points back.',
  query: z.object({
    refund: z.enum(['true', 'false']).default('false').describe('Whether to return the points.'),
  }),
  perms: ['challsRead', 'challsWrite'],
  scope: 'challenges:write',
  replies: [goodHintDelete, badHint, badHintBought],
})

export const hintRouteList = [
  listHints,
  buyHint,
  listAdminHints,
  createHint,
  orderHints,
  updateHint,
  releaseHint,
  deleteHint,
] as const
