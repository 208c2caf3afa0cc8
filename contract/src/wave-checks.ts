import { z } from 'zod'
import { UnixMs } from './fields.ts'
import { DiagnosisCheck } from './diagnosis.ts'
import { organiserRoute, reply, route } from './route.ts'
import { badWave, waveLimits } from './waves.ts'

// The check of a wave before it opens: docs/reference/waves.md#check-before-the-opening

/** More than there are checks of one challenge. */
const MAX_CHECKS = 30

const CheckedChallenge = z.object({
  id: z.string(),
  name: z.string(),
  state: z
    .enum(['checked', 'outdated', 'unchecked'])
    .describe('`outdated`: the challenge changed since. `unchecked`: the last run did not reach it.'),
  checks: z.array(DiagnosisCheck).max(MAX_CHECKS),
})

/** Times are Unix milliseconds. */
export const WaveCheck = z.object({
  state: z
    .enum(['never', 'running', 'finished', 'interrupted'])
    .describe('`interrupted`: the server stopped meanwhile; the results until then are there.'),
  startedAt: UnixMs.nullable(),
  finishedAt: UnixMs.nullable(),
  challenges: z
    .array(CheckedChallenge)
    .max(waveLimits.challenges)
    .describe('The challenges that the wave has now, in the order of the challenge list.'),
})

export const goodWaveCheck = reply(200, 'goodWaveCheck', 'The last check of the wave.', WaveCheck)
export const goodWaveCheckStart = reply(200, 'goodWaveCheckStart', 'The wave is being checked.', WaveCheck)
export const badWaveCheckBusy = reply(
  409,
  'badWaveCheckBusy',
  'Another wave is being checked. Wait until that is finished.',
  z.object({ waveId: z.string() }),
)

const one = {
  path: '/api/v2/admin/waves/:id/check',
  params: z.object({ id: z.string().min(1).max(64) }),
  auth: 'required',
} as const

export const readWaveCheck = organiserRoute({
  ...one,
  method: 'GET',
  perms: ['challsRead'],
  scope: 'challenges:read',
  summary: 'Results of the last check of a wave.',
  replies: [goodWaveCheck, badWave],
})

export const startWaveCheck = route({
  ...one,
  method: 'POST',
  perms: ['challsRead', 'challsWrite'],
  scope: 'challenges:write',
  summary: 'Starts to check all challenges of a wave, or returns the state if that is happening.',
  limits: ['organiserJobs'],
  replies: [goodWaveCheckStart, badWave, badWaveCheckBusy],
})

export const waveCheckRouteList = [readWaveCheck, startWaveCheck] as const
