import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import type { Client } from '@pennant/contract/client.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { uploadFilesV2 } from '@pennant/contract/uploads.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { demoChallenges, type DemoFile } from './challenges.ts'
import { liveChallenges } from './live-challenges.ts'

/** Starts the contest now, unless an earlier run has. */
export async function openDemo(call: Client, token: string): Promise<void> {
  const config = await call(getClientConfigV2, {})
  if (config.kind === 'goodClientConfig' && config.data.scheduled !== false) return
  const saved = await call(updateSettings, { token, body: { data: { startTime: Date.now() } } })
  if (saved.kind !== 'goodAdminSettingsUpdate') throw new Error(`the start: ${saved.kind}`)
}

/** Creates the example challenges; running it again changes nothing that players see. */
export async function fillDemo(call: Client, token: string, now: number): Promise<void> {
  for (const [at, challenge] of demoChallenges.entries()) {
    const { id, name, category, author, description, flag, points, opensAfterMinutes = 0 } = challenge
    const files = await upload(call, token, challenge)
    const releaseTime = opensAfterMinutes > 0 ? now + opensAfterMinutes * MINUTE_MS : null
    const flags = [{ provider: 'flags/static', config: { flag } }]
    const data = { name, category, author, description, flags, points, files, sortWeight: at, releaseTime }
    const saved = await call(putChallengeV2, { token, params: { id }, body: { data } })
    if (saved.kind !== 'goodChallengeUpdateV2') throw new Error(`${id}: ${saved.kind}`)
  }
}

/** Creates the examples that need a container engine and an admin bot. */
export async function fillLive(call: Client, token: string): Promise<void> {
  for (const [at, challenge] of liveChallenges.entries()) {
    const { id, name, category, author, description, flagBase, points, instance, botCode } = challenge
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
