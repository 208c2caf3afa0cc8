import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/folder.ts'
import { loadImage, podmanIn, type Podman } from '../../server/test/podman-image.ts'
import { codeOf, secretKey, startStage, visit, type Stage, type StageOptions } from './stage.ts'
import {
  addresses,
  KEY_FILE,
  readProcessTexts,
  startWorkerContainer,
  type ContainerOptions,
} from './worker-container.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let podman: Podman

beforeAll(async () => {
  folder = await temporaryFolder()
  podman = podmanIn(folder.path)
  await loadImage(podman, 'pennant-bot')
}, 600_000)

afterAll(async () => {
  await podman('rm', '--all', '--force', '--time', '0')
  await podman('rmi', '--all', '--force')
  await folder[Symbol.asyncDispose]()
}, 120_000)

let container = ''

async function startImage(options?: ContainerOptions): Promise<Stage> {
  const startWorker: StageOptions['startWorker'] = async (env) => {
    const worker = await startWorkerContainer(podman, env, options)
    container = worker.name
    return worker
  }
  return await startStage({ startWorker })
}

const hasKeyInEnvironment = async () =>
  (await readProcessTexts(podman, container)).filter((text) => text.includes(secretKey)).length > 0

const TARGETS = [addresses.check, addresses.server, addresses.internal, addresses.metadata]
const PROBE = [KEY_FILE, ...TARGETS].join(' ')

/** The attack as an author's code, which can access all of Node. */
const AS_AUTHOR = codeOf(`
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { stdout, stderr } = spawnSync('perl', ['/attack/probe.pl', ...'${PROBE}'.split(' ')], { encoding: 'utf8' })
  for (const line of (stdout + stderr).trim().split('\\n')) output.info('probe', line)`)

/** The attack in place of a renderer: started by the browser as its renderer, with the sandbox disabled. */
const AS_RENDERER = `
  process.env.PROBE_TARGETS = '${PROBE}'
  process.env.PROBE_REPORT = process.env.HOME + '/report'
  ${codeOf(
    `const fs = process.getBuiltinModule('node:fs')
    browserContext.newPage().then((page) => page.goto('data:text/html,x')).catch(() => {})
    while (!fs.existsSync(process.env.PROBE_REPORT)) await new Promise((resolve) => setTimeout(resolve, 50))
    for (const line of fs.readFileSync(process.env.PROBE_REPORT, 'utf8').trim().split('\\n')) output.info('probe', line)`,
    `browserArguments: ['--no-sandbox', '--no-zygote', '--renderer-cmd-prefix=perl /attack/probe.pl'],`,
  )}`

/**
 * The attack as code that runs in a source check, before it is saved. Its error is reported to the organiser.
 */
const AS_CHECKED = `
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  throw new Error(spawnSync('perl', ['/attack/probe.pl', ...'${PROBE}'.split(' ')], { encoding: 'utf8' }).stdout)`

type Attempts = Readonly<Record<string, { readonly done: number; readonly tried: number }>>

function parseReport(report: string): Attempts {
  const lines = [...report.matchAll(/(\w+) (\d+)\/(\d+)/g)]
  return Object.fromEntries(
    lines.map(([, name, done, tried]) => [name, { done: Number(done), tried: Number(tried) }]),
  ) as Attempts
}

async function attackByVisit(stage: Stage, id: string, code: string): Promise<Attempts> {
  await stage.addChallenge(id, code)
  const { lines } = await visit(stage, id)
  return parseReport(lines.map(({ line }) => line).join('\n'))
}

async function attackByCheck(stage: Stage): Promise<Attempts> {
  const failure = await stage.addChallenge('checked', AS_CHECKED).catch((error: Error) => error)
  return parseReport((failure as Error).message.replaceAll('\\n', '\n'))
}

const KINDS = 'descriptors environ folders key memory network ptrace root signal sockets'.split(' ')

function succeeded(attempts: Attempts): string[] {
  // An attack that was never tried proves nothing.
  expect(Object.keys(attempts)).toEqual(KINDS)
  return KINDS.filter((kind) => (attempts[kind]?.done ?? 0) > 0)
}

/** The successful attempts, by attacker. */
async function attack(stage: Stage) {
  return {
    author: succeeded(await attackByVisit(stage, 'author', AS_AUTHOR)),
    renderer: succeeded(await attackByVisit(stage, 'renderer', AS_RENDERER)),
    checked: succeeded(await attackByCheck(stage)),
  }
}

const NOTHING = { author: [], renderer: [], checked: [] }

test('with the documented options, a visit can access nothing of the worker', async () => {
  await using stage = await startImage()
  expect(await attack(stage)).toEqual(NOTHING)
  // The worker, its parent, the egress, and the waiting visit with its browser.
  expect((await readProcessTexts(podman, container)).length).toBeGreaterThan(5)
  expect(await hasKeyInEnvironment()).toBe(false)
})

test('Chromium runs with its own sandbox, and a visit can access what it is allowed to', async () => {
  await using stage = await startImage()
  const code = codeOf(`
    const page = await browserContext.newPage()
    await page.goto('http://${addresses.page}/')
    output.info('title', await page.title())
    const fs = process.getBuiltinModule('node:fs')
    for (const id of fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name))) {
      const command = fs.readFileSync('/proc/' + id + '/cmdline', 'utf8')
      if (!command.includes('--type=renderer')) continue
      const status = fs.readFileSync('/proc/' + id + '/status', 'utf8')
      // Namespaces of the container, the visit and the sandbox; the profile's filter and the sandbox's own.
      const depth = /^NSpid:(.*)$/m.exec(status)[1].trim().split(/\\s+/).length
      output.info('renderer', (depth > 2) + ' ' + (Number(/^Seccomp_filters:\\t(.*)$/m.exec(status)[1]) > 1))
      break
    }
    for (const address of ${JSON.stringify(TARGETS)}) {
      const response = await page.goto('http://' + address + '/').catch((error) => ({ status: () => error.message }))
      output.info('internal', address + ' ' + response.status())
    }`)
  await stage.addChallenge('script', code)
  const { status, lines } = await visit(stage, 'script')
  expect(
    lines.filter(({ prefix }) => prefix !== 'network').map(({ prefix, line }) => `${prefix}: ${line}`),
  ).toEqual(['title: a page', 'renderer: true true', ...TARGETS.map((address) => `internal: ${address} 403`)])
  expect(status).toBe('completed')
})

test('processes and files of a visit are removed before the next one', async () => {
  await using stage = await startImage({ env: { WARM_BROWSER: 'false' } })
  const bomb = codeOf(
    `const { spawn } = process.getBuiltinModule('node:child_process')
    const fs = process.getBuiltinModule('node:fs')
    for (const folder of ['/tmp', '/dev/shm']) {
      fs.mkdirSync(folder + '/left/locked', { recursive: true })
      fs.writeFileSync(folder + '/left/locked/file', 'x')
      fs.chmodSync(folder + '/left/locked', 0)
    }
    output.info('left', fs.readdirSync('/dev/shm').join())
    spawn('sh', ['-c', 'b() { b | b & }; b; sleep 100'], { detached: true, stdio: 'ignore' }).unref()
    await new Promise(() => {})`,
    'timeoutMilliseconds: 3_000,',
  )
  await stage.addChallenge('bomb', bomb)
  const bombed = await visit(stage, 'bomb')
  expect(bombed.lines[0]).toMatchObject({ prefix: 'left', line: 'left' })
  const script = codeOf(`
    const fs = process.getBuiltinModule('node:fs')
    const page = await browserContext.newPage()
    await page.goto('http://${addresses.page}/')
    output.info('title', await page.title())
    output.info('files', [...fs.readdirSync('/dev/shm'), ...fs.readdirSync('/tmp').filter((name) => name === 'left')].join())
    output.info('shells', fs.readdirSync('/proc').filter((id) => /^\\d+$/.test(id))
      .filter((id) => fs.readFileSync('/proc/' + id + '/cmdline', 'utf8').startsWith('sh\\0-c\\0b()')).join())`)
  await stage.addChallenge('script', script)
  const { lines } = await visit(stage, 'script')
  expect(lines.map(({ prefix, line }) => `${prefix}: ${line}`)).toEqual([
    'title: a page',
    'files: ',
    'shells: ',
  ])
})

test.each<[string, ContainerOptions, string]>([
  ['the key in its environment', { env: { SECRET_KEY: 'x' } }, 'SECRET_KEY_FILE: SECRET_KEY is set as well'],
  ['a key that everybody can read', { keyMode: 0o444 }, 'can be read by every user'],
  ['a key that it cannot read', { keyMode: 0 }, 'SECRET_KEY_FILE: cannot be read (EACCES)'],
  ['too few capabilities', { capabilities: ['SETGID'] }, 'setpriv: '],
  ["the engine's own seccomp profile", { seccomp: 'default' }, 'visits cannot be isolated'],
])('with %s the image does not start', async (_name, options, message) => {
  const env = { BASE_URL: 'http://127.0.0.1:1', SECRET_KEY: 'x' }
  await expect(startWorkerContainer(podman, env, options)).rejects.toThrow(message)
})

test('without the seccomp profile, the user id and the namespaces still isolate visits', async () => {
  await using stage = await startImage({ seccomp: 'unconfined' })
  expect(await attack(stage)).toEqual(NOTHING)
})

test('without isolation the same attempts succeed', async () => {
  await using stage = await startImage({
    seccomp: 'unconfined',
    env: { ISOLATION: 'off', SECRET_KEY_FILE: '', SECRET_KEY: secretKey },
  })
  expect(await hasKeyInEnvironment()).toBe(true)
  expect(await attack(stage)).toEqual({ author: KINDS, renderer: KINDS, checked: KINDS })
})
