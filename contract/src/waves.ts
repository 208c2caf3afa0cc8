import { z } from 'zod'
import { ChallengeId, UnixMs } from './fields.ts'
import { instantUntil } from './instants.ts'
import { badChallenge } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'

// Groups of challenges that are released together: docs/reference/waves.md

/** Stored waves, challenges of one wave, and characters of a name and of the texts of its announcement. */
export const waveLimits = { stored: 100, challenges: 500, name: 100, title: 200, text: 5_000 }

/** The latest time of a wave: the end of the year 9998. */
export const LAST_WAVE_TIME = Date.UTC(9999, 0, 1) - 1
/** The `releaseTime` of the challenges of a wave without a time: it never comes. */
export const UNSCHEDULED = Date.UTC(9999, 11, 31)
/** How far a wave is moved at once: a year. */
export const MAX_MOVE_MS = 366 * 24 * 60 * 60 * 1000

/** The next wave that players see a countdown to. Times are Unix milliseconds. */
export const NextWave = z.object({
  name: z.string(),
  opensAt: UnixMs,
  count: z
    .int()
    .min(0)
    .describe(
      'Number of challenges that its announcement would name now: without hidden ones, and those that some teams must not know of.',
    ),
})

const fields = {
  name: z.string().trim().min(1).max(waveLimits.name),
  openAt: instantUntil(LAST_WAVE_TIME)
    .nullable()
    .describe('Null: not scheduled, its challenges are not released.'),
  announce: z.boolean().describe('Publishes an announcement when it opens.'),
  forward: z.boolean().describe('Also sends that announcement to the configured messengers.'),
  countdown: z
    .boolean()
    .describe('Shows its name, its time and the number of its challenges to players before it opens.'),
  title: z
    .string()
    .trim()
    .min(1)
    .max(waveLimits.title)
    .nullable()
    .describe('Of the announcement, with placeholders; null for the default.'),
  text: z.string().max(waveLimits.text).nullable(),
  challengeIds: z.array(ChallengeId).max(waveLimits.challenges),
}

export const Wave = z.object({
  id: z.string(),
  name: z.string(),
  openAt: UnixMs.nullable(),
  announce: z.boolean(),
  forward: z.boolean(),
  countdown: z.boolean(),
  title: z.string().nullable(),
  text: z.string().nullable(),
  challengeIds: z.array(z.string()).describe('In the order of the challenge list.'),
  announcedAt: UnixMs.nullable().describe(
    'When its opening was announced, and the announcement; null if it had nothing to announce or was deleted.',
  ),
  announcementId: z.string().nullable(),
  version: z.int(),
  createdAt: UnixMs,
})

export const goodNextWave = reply(
  200,
  'goodNextWave',
  'The next wave that players may know of.',
  z.object({ next: NextWave.nullable() }),
)
export const goodWaves = reply(200, 'goodWaves', 'Waves.', z.object({ waves: z.array(Wave) }))
export const goodWave = reply(200, 'goodWave', 'The wave was saved.', z.object({ wave: Wave }))
export const goodWaveDelete = reply(200, 'goodWaveDelete', 'The wave was deleted.')
export const badWave = reply(404, 'badWave', 'No such wave.')
export const badWaveName = reply(409, 'badWaveName', 'Another wave has this name.')
export const badWaveCount = reply(
  409,
  'badWaveCount',
  'There are too many waves. Delete old ones first.',
  z.object({ max: z.int() }),
)
export const badWaveVersion = reply(
  409,
  'badWaveVersion',
  'Someone else has edited the wave in the meantime.',
  z.object({ version: z.int() }),
)
export const badWaveReleased = reply(
  409,
  'badWaveReleased',
  'Challenges of this wave are released already, and players would lose or see them at another time. Confirm with `force`.',
  z.object({ challengeIds: z.array(z.string()) }),
)
export const badWaveUnscheduled = reply(
  409,
  'badWaveUnscheduled',
  'The wave has no time that could be moved. Set one.',
)

export const readNextWave = route({
  method: 'GET',
  path: '/api/v2/waves/next',
  summary: 'The name, the time and the number of challenges of the next wave with a countdown.',
  auth: 'public',
  scope: 'read',
  shows: ['challenges'],
  limits: [],
  replies: [goodNextWave],
})

const all = { path: '/api/v2/admin/waves' } as const
const params = z.object({ id: z.string().min(1).max(64) })
const one = { path: '/api/v2/admin/waves/:id', params } as const
const read = { method: 'GET', perms: ['challsRead'] } as const
const write = {
  auth: 'required',
  perms: ['challsRead', 'challsWrite'],
  scope: 'challenges:write',
  bodyCap: 'admin',
  limits: ['organiserCalls'],
} as const

export const listWaves = organiserRoute({
  ...read,
  ...all,
  summary: 'All waves by time; those without one last.',
  scope: 'challenges:read',
  replies: [goodWaves],
})

const { name, openAt, announce, forward, countdown, title, text, challengeIds } = fields
/** Confirms a change of the time at which challenges that players see already are released. */
const force = z.boolean().default(false)
const version = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)

export const createWave = route({
  ...write,
  ...all,
  method: 'POST',
  summary: 'Creates a wave. The challenges of another wave leave that one.',
  body: z.object({
    data: z.object({
      name,
      openAt: openAt.default(null),
      announce: announce.default(true),
      forward: forward.default(false),
      countdown: countdown.default(false),
      title: title.default(null),
      text: text.default(null),
      challengeIds: challengeIds.default([]),
      force,
    }),
  }),
  replies: [goodWave, badChallenge, badWaveName, badWaveCount, badWaveReleased],
})

export const updateWave = route({
  ...write,
  ...one,
  method: 'PUT',
  summary: 'Changes the fields that are sent. All challenges of the wave get its time.',
  body: z.object({
    data: z.object({
      /** The version that was edited. */
      version,
      name: name.optional(),
      openAt: openAt.optional(),
      announce: announce.optional(),
      forward: forward.optional(),
      countdown: countdown.optional(),
      title: title.optional(),
      text: text.optional(),
      challengeIds: challengeIds.optional(),
      force,
    }),
  }),
  replies: [goodWave, badChallenge, badWave, badWaveName, badWaveVersion, badWaveReleased],
})

export const moveWave = route({
  ...write,
  ...one,
  method: 'POST',
  path: '/api/v2/admin/waves/:id/move',
  summary: 'Moves a wave, and with it all its challenges, by a duration.',
  body: z.object({
    data: z.object({
      version,
      byMs: z.int().min(-MAX_MOVE_MS).max(MAX_MOVE_MS).describe('Negative: earlier.'),
      force,
    }),
  }),
  replies: [goodWave, badWave, badWaveVersion, badWaveUnscheduled, badWaveReleased],
})

export const deleteWave = organiserRoute({
  ...one,
  method: 'DELETE',
  perms: ['challsRead', 'challsWrite'],
  scope: 'challenges:write',
  summary: 'Deletes a wave. Its challenges keep their time; without one they become hidden.',
  replies: [goodWaveDelete, badWave],
})

export const waveRouteList = [readNextWave, listWaves, createWave, updateWave, moveWave, deleteWave] as const
