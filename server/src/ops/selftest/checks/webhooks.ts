import { createHmac } from 'node:crypto'
import { exportActionsCsv, PUSHED_SCORES } from '@pennant/contract/actions.ts'
import { pushScores } from '@pennant/contract/scores.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import type { Check } from '../check.ts'
import type { Fixture } from '../fixture.ts'
import type { Reply } from '../wire.ts'

interface Push {
  readonly id: string
  readonly secret: string
  readonly points: number
  /** Offset between the signature's timestamp and the current time. */
  readonly skewMs?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the body after signing. */
  readonly sendInstead?: string
}

function push({ wire, player }: Fixture, { id, secret, points, skewMs = 0, ...rest }: Push): Promise<Reply> {
  const body = JSON.stringify({ scores: [{ userId: player.team.id, points }] })
  const timestamp = String(Date.now() + skewMs)
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return wire.send({
    method: 'POST',
    path: pushScores.path.replace(':id', id),
    headers: {
      'content-type': 'application/json',
      'x-svc-timestamp': timestamp,
      'x-svc-signature': `sha256=${digest}`,
      ...rest.headers,
    },
    bytes: Buffer.from(rest.sendInstead ?? body),
  })
}

export const webhookChecks: readonly Check[] = [
  {
    name: 'webhook-signature',
    category: 'S8',
    about: 'A score push needs a fresh signature of its challenge and body, which works once.',
    advice:
      'Report it as a vulnerability. Until it is fixed, block POST on /api/v2/challs/*/scores for outsiders.',
    async run(fixture, report) {
      const { ids, webhookSecret: secret } = fixture
      const path = pushScores.path.replace(':id', ids.scored)
      const finding = (found: string) => report.finding({ method: 'POST', path }, 'anonymous', found)
      const own = { id: ids.scored, secret, points: 1 }

      const good = await push(fixture, own)
      if (good.kind !== 'goodDynamicScores')
        return finding(`a signed push was refused (${good.kind}): compare the clocks of both machines`)
      const forged: Readonly<Record<string, Push>> = {
        'signed with another secret': { ...own, secret: `${secret}x` },
        'signed with an empty secret': { ...own, secret: '' },
        'signed an hour ago': { ...own, skewMs: -HOUR_MS },
        'signed an hour ahead': { ...own, skewMs: HOUR_MS },
        'of another challenge with another secret': { ...own, id: ids.scoredElsewhere },
        'to a challenge without a webhook': { ...own, id: ids.open },
        'to a challenge that does not exist': { ...own, id: ids.absent },
        'without a signature': { ...own, headers: { 'x-svc-signature': '' } },
        'with another body': { ...own, sendInstead: '{"scores":[]}' },
        'with a body that was formatted again': { ...own, sendInstead: '{ "scores": [] }' },
        'with the timestamp of a float': { ...own, headers: { 'x-svc-timestamp': '1e13' } },
      }
      for (const [what, each] of Object.entries(forged)) {
        const { kind, status } = await push(fixture, each)
        if (kind !== 'badSignature') finding(`a push ${what} was answered with ${status} ${kind}`)
      }
      await replay(fixture, finding)
    },
  },
  {
    name: 'push-trace',
    category: 'S8',
    about: 'Whoever has the secret of a challenge leaves a trace in the action log.',
    advice: 'Report it as a vulnerability.',
    async run(fixture, report) {
      const { ids, webhookSecret: secret, wire, admin } = fixture
      const { kind } = await push(fixture, { id: ids.scored, secret, points: 7 })
      const { path } = exportActionsCsv
      const { text } = await wire.send({ path, token: admin.team.token })
      if (kind !== 'goodDynamicScores') return report.note(`a signed push was refused (${kind})`)
      const hasTrace = text
        .split('\n')
        .some((line) => line.includes(PUSHED_SCORES) && line.includes(ids.scored))
      if (!hasTrace) report.finding({ path }, 'admin', 'no entry of the pushed scores')
    },
  },
]

async function replay(fixture: Fixture, finding: (found: string) => void): Promise<void> {
  const { ids, webhookSecret: secret, wire, player } = fixture
  const path = pushScores.path.replace(':id', ids.scored)
  const timestamp = String(Date.now())
  const signed = (points: number) => {
    const body = JSON.stringify({ scores: [{ userId: player.team.id, points }] })
    const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    const headers = { 'x-svc-timestamp': timestamp, 'x-svc-signature': `sha256=${digest}` }
    return () => wire.send({ method: 'POST', path, headers, bytes: Buffer.from(body) })
  }
  const [older, newer] = [signed(5), signed(6)]
  await older()
  await newer()
  const again = await older()
  const counts = Object.values((again.data ?? {}) as Record<string, number>)
  if (again.kind === 'goodDynamicScores' && counts.some((count) => count > 0))
    finding('a push that was sent again undid a newer one')
}
