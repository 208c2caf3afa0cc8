import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { uploadFilesV1 } from '@pennant/contract/uploads.ts'
import { createWave } from '@pennant/contract/waves.ts'
import { seeded } from '../../seed/random.ts'
import { openContest, type Contest, type ContestOptions } from '../data/contest.ts'
import { openingSet } from '../data/sets.ts'

// A contest at its start, with files and with challenges that are released later in waves.

const FILES = 3
const FILE_BYTES = 128 * 1024
const WAVES = 3
/** Challenges of each wave; the last ones of the list. */
const WAVE_CHALLENGES = 10

export interface RushContest extends AsyncDisposable {
  readonly contest: Contest
  /** Paths of the files; the first challenges have one each. */
  readonly files: readonly string[]
  /** Ids of the challenges that are released from the start. */
  readonly challengeIds: readonly string[]
  /** Starts the event at this time. */
  startEvent(at: number): Promise<void>
  /** Releases the waves at these times, at most `WAVES`. */
  scheduleWaves(times: readonly number[]): Promise<void>
}

export async function openRushContest(teams: number, options: ContestOptions = {}): Promise<RushContest> {
  const contest = await openContest(openingSet(teams), options)
  try {
    const { instance, generated } = contest
    const { authToken: token } = await instance.createAdmin('bench')
    const call = createClient({ baseUrl: instance.url })
    const files = await addFiles({ call, token }, generated.challengeIds)
    const released = generated.challengeIds.length - WAVES * WAVE_CHALLENGES
    const waves = Array.from({ length: WAVES }, (_, wave) =>
      generated.challengeIds.slice(released + wave * WAVE_CHALLENGES).slice(0, WAVE_CHALLENGES),
    )
    let scheduled = 0
    return {
      contest,
      files,
      challengeIds: generated.challengeIds.slice(0, released),
      async startEvent(at) {
        const data = { startTime: at, endTime: at + 48 * HOUR_MS }
        accept(await call(updateSettings, { token, body: { data } }))
      },
      async scheduleWaves(times) {
        for (const openAt of times) {
          const challengeIds = waves[scheduled] ?? []
          scheduled += 1
          const data = { name: `Wave ${scheduled}`, openAt, countdown: true, challengeIds, force: true }
          accept(await call(createWave, { token, body: { data } }))
        }
      },
      [Symbol.asyncDispose]: () => contest[Symbol.asyncDispose](),
    }
  } catch (error) {
    await contest[Symbol.asyncDispose]()
    throw error
  }
}

interface Organiser {
  readonly call: Client
  readonly token: string
}

/** Gives the first challenges a file each, of bytes that no compression makes smaller. */
async function addFiles({ call, token }: Organiser, challengeIds: readonly string[]): Promise<string[]> {
  const random = seeded('files of the bench')
  const files = Array.from({ length: FILES }, (_, n) => {
    const bytes = Buffer.from(Array.from({ length: FILE_BYTES }, () => Math.floor(random() * 256)))
    return { name: `task-${n}.bin`, data: `data:application/octet-stream;base64,${bytes.toString('base64')}` }
  })
  const uploaded = await call(uploadFilesV1, { token, body: { files } })
  if (uploaded.kind !== 'goodFilesUpload') throw new Error(uploaded.kind)
  for (const [n, { name, url }] of uploaded.data.entries()) {
    const id = challengeIds[n] ?? ''
    accept(await call(putChallengeV2, { token, params: { id }, body: { data: { files: [{ name, url }] } } }))
  }
  return uploaded.data.map(({ url }) => new URL(url, 'http://localhost').pathname)
}

function accept({ kind }: { readonly kind: string }): void {
  if (!kind.startsWith('good')) throw new Error(`the contest of the rush could not be prepared: ${kind}`)
}
