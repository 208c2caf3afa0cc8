import { z } from 'zod'

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
