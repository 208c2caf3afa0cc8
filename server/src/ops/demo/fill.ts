import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import type { Client } from '@pennant/contract/client.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { uploadFilesV2 } from '@pennant/contract/uploads.ts'
import { demoChallenges, pushedChallenge } from './challenges.ts'
import type { DemoFile } from './content/challenge.ts'
import type { LiveChallenge } from './live-challenges.ts'

export interface FillOptions {
  readonly call: Client
  /** Auth token of an organiser. */
  readonly token: string
  /** Start of the event, in Unix milliseconds. */
  readonly startTime: number
}

/** Creates the example challenges, the last of which is scored by pushes. */
export async function fillDemo({ call, token, startTime }: FillOptions): Promise<void> {
  for (const [at, challenge] of demoChallenges.entries()) {
    const { id, name, category, author, description, flag, points, tags = [], opensAfterHours } = challenge
    const files = await upload(call, token, challenge)
    const releaseTime = opensAfterHours === undefined ? null : startTime + opensAfterHours * HOUR_MS
    const flags = [{ provider: 'flags/static', config: { flag } }]
    const texts = { name, category, author, description, tags: [...tags] }
    const data = { ...texts, flags, points, files, sortWeight: at, releaseTime }
    const saved = await call(putChallengeV2, { token, params: { id }, body: { data } })
    if (saved.kind !== 'goodChallengeUpdateV2') throw new Error(`${id}: ${JSON.stringify(saved)}`)
  }
  const { id, secret, ...texts } = pushedChallenge
  const scoring = { kind: 'dynamic' as const, source: { transport: 'webhook' as const, secret } }
  const saved = await call(putChallengeV2, { token, params: { id }, body: { data: { ...texts, scoring } } })
  if (saved.kind !== 'goodChallengeUpdateV2') throw new Error(`${id}: ${JSON.stringify(saved)}`)
}

interface FillLiveOptions extends Omit<FillOptions, 'startTime'> {
  readonly challenges: readonly LiveChallenge[]
  /** Existing challenges, which stay as they are: an organiser may have edited them. */
  readonly existing: ReadonlySet<string>
}

/** Creates the missing examples that need a container engine and an admin bot. */
export async function fillLive({ call, token, challenges, existing }: FillLiveOptions): Promise<void> {
  for (const [at, challenge] of challenges.entries()) {
    const { id, name, category, author, description, flagBase, points, instance, botCode } = challenge
    if (existing.has(id)) continue
    const files = await upload(call, token, challenge)
    const flags = [{ provider: 'flags/dynamic', config: { base: flagBase, mode: 'tail' } }]
    const data = {
      name,
      category,
      author,
      description,
      flags,
      points,
      files,
      sortWeight: demoChallenges.length + at,
      instancerConfig: instance,
      adminBotConfig: botCode === undefined ? null : { code: botCode },
    }
    const saved = await call(putChallengeV2, { token, params: { id }, body: { data } })
    if (saved.kind !== 'goodChallengeUpdateV2') throw new Error(`${id}: ${JSON.stringify(saved)}`)
  }
}

interface WithFiles {
  readonly id: string
  readonly files: readonly DemoFile[]
}

async function upload(call: Client, token: string, { id, files }: WithFiles) {
  if (files.length === 0) return []
  const form = new FormData()
  for (const { name, bytes } of files) form.append('files', new Blob([new Uint8Array(bytes)]), name)
  const stored = await call(uploadFilesV2, { token, form })
  if (stored.kind !== 'goodFilesUpload') throw new Error(`files of ${id}: ${stored.kind}`)
  return stored.data
}
