import { z } from 'zod'
import { TeamId, UnixMs } from './fields.ts'
import { flagProblem } from './flag-text.ts'
import { AdminPage } from './filters.ts'
import { organiserRoute, reply } from './route.ts'

// Fair play: docs/reference/fair-play.md

/** Each kind of signal and how much it says. Context alone never makes a case. */
export const signalTiers = {
  foreignFlag: 'hard',
  decoyFlag: 'hard',
  closedFlag: 'hard',
  equalWrongFlag: 'behavioural',
  unseenSolve: 'behavioural',
  noInstance: 'behavioural',
  sameRhythm: 'behavioural',
  soonAfterRelease: 'behavioural',
  soonAfterTeam: 'behavioural',
  sharedAddress: 'context',
  twinRegistration: 'context',
  tokenInTwoNetworks: 'context',
} as const

export type SignalKind = keyof typeof signalTiers
export type SignalTier = (typeof signalTiers)[SignalKind]

export const signalKinds = Object.keys(signalTiers) as readonly SignalKind[]

/** What decides whether a fact becomes a signal. */
export const FairPlayThresholds = z.object({
  wrongFlagTeams: z
    .int()
    .min(2)
    .max(20)
    .describe('A wrong flag is unusual if at most this many teams sent it.'),
  wrongFlagMinutes: z.int().min(1).max(10_080).describe('Minutes between equal wrong flags of two teams.'),
  wrongFlagLength: z.int().min(4).max(200).describe('Shorter wrong flags are equal by chance.'),
  rhythmMinutes: z.int().min(1).max(240).describe('Minutes within which a team follows another one.'),
  rhythmSolves: z.int().min(3).max(100).describe('Challenges on which it must have followed.'),
  rhythmChance: z
    .number()
    .min(0.000001)
    .max(1)
    .describe('Pairs of the whole event that would follow each other as closely by chance.'),
  releaseSeconds: z.int().min(1).max(3600).describe('A solve this soon after the release is looked at.'),
  releaseShare: z
    .number()
    .min(0.001)
    .max(0.5)
    .describe('It must be this share of the time that half of the solvers needed.'),
  followSeconds: z.int().min(1).max(3600).describe('A solve this soon after another team is looked at.'),
  followChance: z
    .number()
    .min(0.000001)
    .max(0.5)
    .describe('Chance of such a short distance between two solves of the challenge.'),
  unseenSolves: z.int().min(1).max(100).describe('Solves of challenges that the team never received.'),
  addressTeams: z.int().min(2).max(100).describe('More teams at one address are a network, not a pair.'),
  twinMinutes: z.int().min(1).max(1440).describe('Minutes between two registrations from one address.'),
  tokenMinutes: z.int().min(1).max(1440).describe('Minutes between two networks of one token.'),
})
export type FairPlayThresholds = z.output<typeof FairPlayThresholds>

export const defaultThresholds: FairPlayThresholds = {
  wrongFlagTeams: 2,
  wrongFlagMinutes: 120,
  wrongFlagLength: 8,
  rhythmMinutes: 20,
  rhythmSolves: 3,
  rhythmChance: 0.01,
  releaseSeconds: 60,
  releaseShare: 0.02,
  followSeconds: 300,
  followChance: 0.0005,
  unseenSolves: 1,
  addressTeams: 3,
  twinMinutes: 10,
  tokenMinutes: 10,
}

export const fairPlayLimits = {
  /** Pairs and teams that are suggested. */
  suggestions: 100,
  decoys: 200,
  decoyPlace: 200,
}

export const SignalKindName = z.enum(signalKinds as [SignalKind, ...SignalKind[]])
const Tier = z.enum(['hard', 'behavioural', 'context'])

/** A team as organisers see it here. The name is the id if it was deleted. */
export const NamedTeam = z.object({ id: z.string(), name: z.string() })

export const FairPlaySignal = z.object({
  id: z.string().describe('A digest of the content: the same after each computation.'),
  kind: SignalKindName,
  tier: Tier,
  teams: z.array(NamedTeam).max(2).describe('The team that it is about, then the team that it points to.'),
  challenge: z.object({ id: z.string(), name: z.string() }).nullable(),
  at: UnixMs,
  submissionIds: z.array(z.string()).max(50),
  evidence: z.record(z.string(), z.union([z.string(), z.number()])),
})

const KindFigures = z.object({
  kind: SignalKindName,
  tier: Tier,
  signals: z.int(),
  teams: z.int().describe('Teams that have such a signal.'),
})

export const goodFairPlay = reply(
  200,
  'goodFairPlay',
  'The state of fair play.',
  z.object({
    computedAt: UnixMs.nullable(),
    receiptsSince: UnixMs.describe('What teams received before is not known.'),
    playing: z.int().describe('Teams that sent a flag.'),
    isCut: z.boolean().describe('The event has more rows than are read; the latest ones count.'),
    kinds: z.array(KindFigures).max(signalKinds.length),
    thresholds: FairPlayThresholds,
    version: z.int(),
  }),
)
export const goodFairPlayPreview = reply(
  200,
  'goodFairPlayPreview',
  'What other thresholds would show.',
  z.object({ playing: z.int(), kinds: z.array(KindFigures).max(signalKinds.length) }),
)
export const goodFairPlaySignals = reply(
  200,
  'goodFairPlaySignals',
  'Signals.',
  z.object({ total: z.int(), signals: z.array(FairPlaySignal) }),
)
export const goodFairPlaySuggestions = reply(
  200,
  'goodFairPlaySuggestions',
  'Teams and pairs without a case that have hard or behavioural signals.',
  z.object({
    suggestions: z
      .array(
        z.object({
          teams: z.array(NamedTeam).max(2),
          hard: z.int(),
          behavioural: z.int(),
          lastAt: UnixMs,
        }),
      )
      .max(fairPlayLimits.suggestions),
  }),
)
export const badFairPlayVersion = reply(
  409,
  'badFairPlayVersion',
  'Another organiser changed this since. Reload it first.',
  z.object({ version: z.int() }),
)

export const FairPlayDecoy = z.object({
  id: z.string(),
  flag: z.string(),
  place: z.string(),
  createdAt: UnixMs,
})
export const goodFairPlayDecoys = reply(
  200,
  'goodFairPlayDecoys',
  'Planted flags.',
  z.object({ decoys: z.array(FairPlayDecoy).max(fairPlayLimits.decoys) }),
)
export const goodFairPlayDecoy = reply(
  200,
  'goodFairPlayDecoy',
  'The planted flag was added.',
  z.object({ decoy: FairPlayDecoy }),
)
export const goodFairPlayDecoyDelete = reply(200, 'goodFairPlayDecoyDelete', 'The planted flag was deleted.')
export const badFairPlayDecoy = reply(404, 'badFairPlayDecoy', 'No such planted flag.')
export const badFairPlayDecoyKnown = reply(
  409,
  'badFairPlayDecoyKnown',
  'This flag is planted already, or it is the flag of a challenge.',
)
export const badFairPlayDecoyCount = reply(
  409,
  'badFairPlayDecoyCount',
  'There are too many planted flags.',
  z.object({ max: z.int() }),
)

const desk = { path: '/api/v2/admin/fair-play', perms: ['fairPlay'] } as const
const Version = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

export const readFairPlay = organiserRoute({
  ...desk,
  method: 'GET',
  summary: 'How many signals of each kind there are, and the thresholds.',
  scope: 'organise:read',
  replies: [goodFairPlay],
})

export const updateFairPlayThresholds = organiserRoute({
  ...desk,
  method: 'PUT',
  summary: 'Changes the thresholds that are sent. The next computation uses them.',
  scope: 'submissions:write',
  body: z.object({ data: z.object({ version: Version, thresholds: FairPlayThresholds.partial() }) }),
  bodyCap: 'admin',
  replies: [goodFairPlay, badFairPlayVersion],
})

export const previewFairPlay = organiserRoute({
  ...desk,
  path: '/api/v2/admin/fair-play/preview',
  method: 'POST',
  summary: 'Counts the signals that other thresholds would give, and stores nothing.',
  scope: 'organise:read',
  body: z.object({ data: z.object({ thresholds: FairPlayThresholds.partial() }) }),
  bodyCap: 'admin',
  replies: [goodFairPlayPreview],
})

export const listFairPlaySignals = organiserRoute({
  ...desk,
  path: '/api/v2/admin/fair-play/signals',
  method: 'GET',
  summary: 'A page of the signals, newest first.',
  scope: 'organise:read',
  query: AdminPage.extend({
    kind: SignalKindName.optional().describe('Only this kind.'),
    tier: Tier.optional().describe('Only kinds of this tier.'),
    userId: TeamId.optional().describe('Only those that name this team.'),
  }),
  replies: [goodFairPlaySignals],
})

export const listFairPlaySuggestions = organiserRoute({
  ...desk,
  path: '/api/v2/admin/fair-play/suggestions',
  method: 'GET',
  summary: 'Teams and pairs that may be worth a case, the strongest first. Nothing happens to them.',
  scope: 'organise:read',
  replies: [goodFairPlaySuggestions],
})

const decoys = { ...desk, path: '/api/v2/admin/fair-play/decoys' } as const

export const listFairPlayDecoys = organiserRoute({
  ...decoys,
  method: 'GET',
  summary: 'Flags that open nothing, which organisers planted where only copying finds them.',
  scope: 'organise:read',
  replies: [goodFairPlayDecoys],
})

export const createFairPlayDecoy = organiserRoute({
  ...decoys,
  method: 'POST',
  summary: 'Adds a planted flag. No challenge accepts it.',
  scope: 'submissions:write',
  body: z.object({
    data: z.object({
      flag: z
        .string()
        .min(4)
        .max(1024)
        .refine((flag) => flagProblem(flag) === null, 'must be a text that players can submit'),
      place: z.string().trim().min(1).max(fairPlayLimits.decoyPlace).describe('Where it was planted.'),
    }),
  }),
  bodyCap: 'admin',
  replies: [goodFairPlayDecoy, badFairPlayDecoyKnown, badFairPlayDecoyCount],
})

export const deleteFairPlayDecoy = organiserRoute({
  ...desk,
  path: '/api/v2/admin/fair-play/decoys/:id',
  method: 'DELETE',
  summary: 'Deletes a planted flag, and its signals with the next computation.',
  scope: 'submissions:write',
  params: z.object({ id: z.string().min(1).max(64) }),
  replies: [goodFairPlayDecoyDelete, badFairPlayDecoy],
})

export const fairPlayRouteList = [
  listFairPlayDecoys,
  createFairPlayDecoy,
  deleteFairPlayDecoy,
  readFairPlay,
  updateFairPlayThresholds,
  previewFairPlay,
  listFairPlaySignals,
  listFairPlaySuggestions,
] as const
