import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from './build.mjs'
import { install } from './install.mjs'

// Every script of the root manifest: installs and builds what is missing, then does the one thing asked for. So a
// fresh clone needs no other command.

const root = fileURLToPath(new URL('..', import.meta.url))
const [verb = '', ...args] = process.argv.slice(2)

/** A look at the parent costs microseconds. */
const PARENT_CHECK_MS = 250

const CHECKS = [
  ['format', 'oxfmt', '--check'],
  ['lint', 'oxlint'],
  ['types', 'typescript', '-b'],
  ['dead code', 'knip'],
  ['architecture', 'vitest', 'run', 'tools/architecture.test.ts'],
  ['documentation', 'tsx', 'tools/docs.ts', '--check'],
]

const VERBS = {
  start: async () => {
    await build(root)
    await runServer(['serve', ...args])
  },
  pennant: async () => {
    await build(root, { only: /^server/ })
    await runServer(args)
  },
  build: () => build(root, { all: true }),
  dev: () => runTool('tsx', ['watch', 'server/src/main.ts', 'serve', ...args]),
  test: runTests,
  'test-engine': () => runTestsWith('engine'),
  'test-browser': () => runTestsWith('browser'),
  demo: async () => {
    await build(root)
    await runTool('tsx', ['tools/demo/main.ts', ...args])
  },
  bench: async () => {
    await build(root)
    await runTool('tsx', ['tools/bench/main.ts', ...args])
  },
  budgets: async () => {
    await build(root)
    await runTool('tsx', ['tools/budgets/main.ts', ...args])
  },
  screenshots: async () => {
    await build(root)
    await runTool('tsx', ['tools/screenshots/main.ts'])
  },
  pictures: async () => {
    const status = await toolStatus('vite', ['build', 'web', '--mode', 'mock', '--logLevel', 'warn'])
    if (status === 0) await runTool('tsx', ['tools/pictures/main.ts', ...args])
    else process.exitCode = status
  },
  check: runChecks,
}

/** In this process: signals of the terminal and of a supervisor then need nobody to pass them on. */
async function runServer(command) {
  const program = join(root, 'server/dist/main.js')
  process.argv = [process.execPath, program, ...command]
  await import(pathToFileURL(program).href)
}

async function runTool(name, toolArgs) {
  process.exitCode = await toolStatus(name, toolArgs)
}

/**
 * All tests, or those named. After a whole run that passed, replies that routes declare and no test saw fail it: they
 * are noted by the harness in a folder of this run.
 */
async function runTests() {
  const isWhole = args.every((arg) => arg.startsWith('-'))
  if (!isWhole) return runTool('vitest', ['run', ...args])
  const notes = mkdtempSync(join(tmpdir(), 'pennant-replies-'))
  process.env.PENNANT_REPLY_COVERAGE = notes
  try {
    await runTool('vitest', ['run', ...args])
    if (process.exitCode === 0) await runTool('tsx', ['tools/reply-coverage.ts', notes])
  } finally {
    rmSync(notes, { recursive: true, force: true })
  }
}

/** The tests that need more than Node, on what this build of the product is. */
async function runTestsWith(need) {
  process.env.PENNANT_TEST_WITH = need
  await build(root)
  await runTool('vitest', ['run', ...args])
}

function ignore() {}

/** Runs all checks, also after one that failed. */
async function runChecks() {
  for (const [title, tool, ...toolArgs] of CHECKS) {
    const output = []
    const status = await toolStatus(tool, toolArgs, output)
    console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${title}`)
    if (status === 0) continue
    process.exitCode = 1
    process.stdout.write(Buffer.concat(output))
  }
}

/**
 * The exit status of a tool that npm has installed, whose lines go to the terminal or into `output`. Signals end it as
 * they would if it ran alone.
 */
function toolStatus(name, toolArgs, output = null) {
  const stdio = output ? 'pipe' : 'inherit'
  const child = spawn(process.execPath, [programOf(name), ...toolArgs], {
    cwd: root,
    stdio: ['inherit', stdio, stdio],
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output?.push(chunk))
  // The terminal sends its own to the whole group.
  const pass = () => child.kill('SIGTERM')
  process.on('SIGINT', ignore).on('SIGTERM', pass)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status, signal) => {
      process.off('SIGINT', ignore).off('SIGTERM', pass)
      resolve(status ?? 128 + constants.signals[signal])
    })
  })
}

function programOf(name) {
  const folder = join(root, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : (bin[name] ?? Object.values(bin)[0]))
}

/**
 * npm hands a signal to the shell between it and us, and that shell dies without passing it on: when whoever started us
 * is gone, so should we be.
 */
function endWithParent() {
  const parent = process.ppid
  const watch = () => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }
  const timer = setInterval(watch, PARENT_CHECK_MS).unref()
}

function fail(message, status = 1) {
  console.error(message)
  process.exit(status)
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19))
  fail(`Pennant needs Node 20.19 or later; this is ${process.versions.node}.`)
if (!Object.hasOwn(VERBS, verb)) fail(`Which of ${Object.keys(VERBS).join(', ')}?`, 2)

if (process.env.npm_lifecycle_event !== undefined) endWithParent()
try {
  // An image without the tools of development is complete as it is.
  if (existsSync(join(root, 'package-lock.json'))) install(root)
  await VERBS[verb]()
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}
