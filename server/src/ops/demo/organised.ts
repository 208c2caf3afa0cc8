import { createExternalAuthClient } from '@pennant/contract/external-auth.ts'
import type { Client } from '@pennant/contract/client.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { createHint } from '@pennant/contract/hints.ts'
import { createScoreAdjustment } from '@pennant/contract/score-adjustments.ts'
import { createIncident, updateIncident } from '@pennant/contract/status.ts'
import { createWave } from '@pennant/contract/waves.ts'

export interface OrganisedOptions {
  readonly call: Client
  /** Auth token of an organiser. */
  readonly token: string
  readonly playerId: string
  readonly startTime: number
  readonly now: number
}

/** The last challenges open together, this long after the start. */
const FINALE_MS = 36 * HOUR_MS
const FINALE = ['twins', 'night-shift']
const HINTED = 'two-time-pad'
const CLIENT = { name: 'Harbour wiki', redirectUri: 'https://wiki.harbour.example/signed-in' }

/** What organisers do besides writing texts: hints, an award, the last wave, an incident, and a site to sign in to. */
export async function fillOrganised(options: OrganisedOptions): Promise<void> {
  const { call, token, playerId, startTime, now } = options
  const hints = [
    { text: 'The pad is used **twice**. What remains of `a ^ b`?', price: 0, release: after(0) },
    { text: 'Guess a word: ` the ` is common.', price: 50, release: after(60) },
    { text: 'The first message begins with `flag{`.', price: 100, release: { kind: 'manual' as const } },
  ]
  for (const data of hints) good(await call(createHint, { token, params: { id: HINTED }, body: { data } }))
  good(await call(createExternalAuthClient, { token, body: CLIENT }))
  const openAt = startTime + FINALE_MS
  if (openAt > now) {
    const wave = { name: 'Finale', openAt, announce: true, countdown: true, challengeIds: FINALE }
    good(await call(createWave, { token, body: { data: wave } }))
  }
  if (now <= startTime) return
  const award = { userId: playerId, points: 40, reason: 'Best write-up of the first day' }
  good(await call(createScoreAdjustment, { token, body: { data: award } }))
  await postIncident({ call, token })
}

async function postIncident({ call, token }: Pick<OrganisedOptions, 'call' | 'token'>): Promise<void> {
  const posted = await call(createIncident, {
    token,
    body: {
      title: 'Instances start slowly',
      severity: 'minor',
      components: ['instances'],
      state: 'investigating',
      text: 'Starts take up to two minutes. We are looking.',
    },
  })
  if (posted.kind !== 'goodIncident') throw new Error(posted.kind)
  const text = 'A second host was added. Starts take **10 s** again.'
  const params = { id: posted.data.id }
  good(await call(updateIncident, { token, params, body: { state: 'monitoring', text } }))
}

const after = (minutes: number) => ({ kind: 'after' as const, minutes })

function good(response: { readonly kind: string }): void {
  if (!response.kind.startsWith('good'))
    throw new Error(`the example event was refused: ${JSON.stringify(response)}`)
}
