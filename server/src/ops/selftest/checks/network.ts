import { isIP } from 'node:net'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { listSubmissions } from '@pennant/contract/admin-submissions.ts'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { readOwnProfileV2, updateProfileV2 } from '@pennant/contract/teams.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { addressWith, readRoutes } from '../addresses.ts'
import { SkipError, type Check, type Report } from '../check.ts'
import type { Fixture } from '../fixture.ts'

/** From a documentation range, so no client has it. */
const SPOOFED = '203.0.113.77'

/** Every header in which proxies or frameworks send the client's address. */
const forwarding = (address: string): Record<string, string> => ({
  'x-forwarded-for': address,
  'x-real-ip': address,
  'cf-connecting-ip': address,
  'true-client-ip': address,
  'x-client-ip': address,
  forwarded: `for=${address}`,
})

/** More than any rate limit for searches allows at once. */
const SEARCHES = 60

function requireRemote({ wire }: Fixture): void {
  const local = wire.localAddress() ?? ''
  if (!/^(?:127\.|::1$|::ffff:127\.)/.test(local)) return
  throw new SkipError(
    'requests from loopback are trusted as a proxy: run the self-test from another machine or through the public address',
  )
}

export const networkChecks: readonly Check[] = [
  {
    name: 'client-address',
    category: 'S12',
    about: 'A client cannot forge the address that the audit log shows.',
    advice: 'Set proxy.trust to the addresses of the proxy, and let the proxy replace X-Forwarded-For.',
    async run(fixture, report) {
      requireRemote(fixture)
      const { wire, call, rival, admin, ids, run } = fixture
      const path = submitFlag.path.replace(':id', ids.slow)
      const flag = `${run}-spoofed`
      const headers = forwarding(SPOOFED)
      await wire.send({ method: 'POST', path, token: rival.team.token, headers, json: { flag } })
      const query = { limit: '20', offset: '0', sortBy: 'createdAt', sortOrder: 'desc' } as const
      const audit = await call(listSubmissions, { token: admin.team.token, query })
      const rows = audit.kind === 'goodAdminSubmissions' ? audit.data.submissions : []
      const address = rows.find((row) => JSON.stringify(row).includes(flag))?.ip ?? ''
      if (!isIP(address)) return report.note('the audit does not show the submission')
      if (address === SPOOFED)
        report.finding({ method: 'POST', path }, rival, 'the audit shows the address that was sent')
    },
  },
  {
    name: 'rate-limit-identity',
    category: 'S12',
    about: 'Searches are limited per address, and forged forwarding headers do not bypass the limit.',
    advice: 'Set proxy.trust to the addresses of the proxy, and let the proxy replace X-Forwarded-For.',
    async run(fixture, report) {
      const { wire } = fixture
      const path = addressWith(getLeaderboardV2, '', { search: 'zqzq' })
      const send = (index: number, spoof: boolean) =>
        wire.send({
          path,
          impatient: true,
          ...(spoof && { headers: forwarding(`203.0.113.${index % 250}`) }),
        })
      const finding = (found: string) => report.finding({ path }, 'anonymous', found)
      const plain = await Promise.all(Array.from({ length: SEARCHES }, (_, index) => send(index, false)))
      if (!plain.some(({ status }) => status === 429))
        return finding(`${SEARCHES} searches at once met no rate limit`)
      requireRemote(fixture)
      const spoofed = await Promise.all(Array.from({ length: SEARCHES }, (_, index) => send(index, true)))
      const passed = spoofed.filter(({ status }) => status === 200).length
      if (passed > SEARCHES / 4)
        finding(`${passed} of ${SEARCHES} searches with forged addresses passed the limit`)
    },
  },
  {
    name: 'host-headers',
    category: 'S12',
    about:
      'A request with two Host headers is refused, because a proxy and the server may each read another one.',
    advice: 'Report it as a vulnerability. Refuse such requests at the proxy.',
    async run({ wire }, report) {
      const { path } = getClientConfigV2
      for (const host of [
        [wire.url.host, 'other.invalid'],
        ['other.invalid', wire.url.host],
      ]) {
        const { status } = await wire.send({ path, headers: { host } })
        const found = `two Host headers were answered with ${status}`
        if (status !== 400) report.finding({ path }, 'anonymous', found)
      }
    },
  },
  {
    name: 'metrics',
    category: 'S13',
    about: 'Metrics are not public.',
    advice: 'Set metrics.token, or block /metrics at the proxy.',
    async run({ wire }, report) {
      const { status, text } = await wire.send({ path: '/metrics', headers: { 'x-forwarded-for': SPOOFED } })
      if (status !== 200 || !/^# (?:HELP|TYPE) /m.test(text)) return
      report.finding({ path: '/metrics' }, 'anonymous', 'the metrics are public')
    },
  },
  {
    name: 'secrets-in-responses',
    category: 'S13',
    about: 'Responses with tokens are never cached, and errors do not echo the request.',
    advice: 'Report it. Check that the proxy does not cache or add headers to API responses.',
    run: checkSecrets,
  },
  {
    name: 'outbound-requests',
    category: 'S15',
    about: 'The server sends no requests to URLs that users enter.',
    advice: 'Report it as a vulnerability. Restrict outbound connections of the server.',
    async run({ listener }, report) {
      if (!listener) throw new SkipError("this machine's address towards the server is unknown")
      for (const request of listener.requests) {
        const found = `the server sent "${request}" to an address that was stored in a challenge or a client`
        report.finding({ path: listener.url }, 'server', found)
      }
      report.note(
        'instances and the admin bot run code of authors: test their network rules on their hosts (docs/operate/instances.md)',
      )
    },
  },
]

async function checkSecrets({ wire, call, player, ids, run }: Fixture, report: Report): Promise<void> {
  const { token } = player.team
  const secret = `${run}-echo`
  for (const route of readRoutes.filter((each) => each.secret && !each.perms && each.auth === 'required')) {
    const path = addressWith(route, ids.open)
    const { headers, status } = await wire.send({ path, token })
    if (status !== 200 || headers['cache-control'] === 'no-store') continue
    const found = `a response with a token has Cache-Control: ${headers['cache-control'] ?? 'none'}`
    report.finding({ path }, player, found)
  }
  const echoes = [
    await wire.send({ method: 'PATCH', path: updateProfileV2.path, token, json: { division: [secret] } }),
    await wire.send({ path: readOwnProfileV2.path, token: secret }),
    await wire.send({
      method: 'POST',
      path: submitFlag.path.replace(':id', ids.absent),
      token,
      json: { flag: secret },
    }),
  ]
  for (const { text, kind } of echoes) {
    if (!text.includes(secret)) continue
    report.finding({ method: 'any', path: '/api' }, player, `an error repeats what was sent (${kind})`)
  }
  const own = await call(readOwnProfileV2, { token })
  if (own.kind === 'goodUserSelfData' && own.message.includes(token))
    report.note('the message repeats the token')
}
