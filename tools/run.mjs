import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from './build.mjs'
import { install } from './install.mjs'

// Runs every script of the root manifest: installs and builds what is missing, then runs the requested task,
// so a fresh clone needs no other command.

const root = fileURLToPath(new URL('..', import.meta.url))
const [verb = '', ...args] = process.argv.slice(2)

/** Checking the parent process takes microseconds. */
const PARENT_CHECK_MS = 250

const CHECKS = [
  ['format', 'oxfmt', '--check'],
  ['lint', 'oxlint'],
  ['types', 'typescript', '-b'],
  ['dead code', 'knip'],
  [
    'architecture, citations, language, workflows',
    'vitest',
    'run',
    'tools/architecture.test.ts',
    'tools/citations.test.ts',
    'tools/language.test.ts',
    'tools/workflows.test.ts',
    'tools/repository.test.ts',
  ],
  ['migrations', 'vitest', 'run', 'tools/unsafe-migrations.test.ts'],
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
  'test-slow': () => runTestsWith('slow'),
  'test-engine': () => runTestsWith('engine'),
  'test-browser': () => runTestsWith('browser'),
  'test-webkit': () => runTestsWith('webkit'),
  demo: async () => {
    await build(root)
    await runServer(['demo', ...args])
  },
  bench: async () => {
    await build(root)
    await runTool('tsx', ['tools/bench/main.ts', ...args])
  },
  faults: async () => {
    await build(root, { only: /^server/ })
    // The command of tsx kills a program that does not respond to a signal within 30 ms, so that it cannot clean up.
    process.exitCode = await nodeStatus(['--import', 'tsx', 'tools/faults/main.ts', ...args])
  },
  soak: async () => {
    await build(root, { only: /^server/ })
    await runTool('tsx', ['tools/soak/main.ts', ...args])
  },
  mutants: () => runTool('tsx', ['tools/mutants/main.ts', ...args]),
  budgets: async () => {
    await build(root)
    await runTool('tsx', ['tools/budgets/main.ts', ...args])
  },
  'fair-play': () => runTool('tsx', ['tools/fair-play/main.ts', ...args]),
  screenshots: async () => {
    await build(root)
    await runTool('tsx', ['tools/screenshots/main.ts'])
  },
  pictures: async () => {
    await build(root, { only: /^web/ })
    await runTool('tsx', ['tools/pictures/main.ts', ...args])
  },
  release: () => runTool('tsx', ['tools/release/main.ts', ...args]),
  upgrades: () => runTool('tsx', ['tools/upgrades/main.ts', ...args]),
  image: async () => {
    await build(root)
    await runTool('tsx', ['tools/release/images/main.ts', ...args])
  },
  check: runChecks,
}

/** Runs in this process, so that signals from the terminal or a supervisor need no forwarding. */
async function runServer(command) {
  const program = join(root, 'server/dist/main.js')
  process.argv = [process.execPath, program, ...command]
  await import(pathToFileURL(program).href)
}

async function runTool(name, toolArgs) {
  process.exitCode = await toolStatus(name, toolArgs)
}

/**
 * Runs all tests or the named ones. After a complete run that passed, declared responses that no test
 * received fail the run; the harness records the received ones in a temporary folder. A caller that names the
 * folder compares them itself, because it may repeat failed files first.
 */
async function runTests() {
  const isWhole = args.every((arg) => arg.startsWith('-'))
  if (!isWhole || process.env.PENNANT_REPLY_COVERAGE) return runTool('vitest', ['run', ...args])
  const notes = mkdtempSync(join(tmpdir(), 'pennant-replies-'))
  process.env.PENNANT_REPLY_COVERAGE = notes
  try {
    await runTool('vitest', ['run', ...args])
    if (process.exitCode === 0) await runTool('tsx', ['tools/reply-coverage.ts', notes])
  } finally {
    rmSync(notes, { recursive: true, force: true })
  }
}

/** The tests that run separately, against the current build. */
async function runTestsWith(need) {
  process.env.PENNANT_TEST_WITH = need
  await build(root)
  await runTool('vitest', ['run', ...args])
}

function ignore() {}

/** Runs all checks, even after one has failed. */
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

/** Runs an installed npm tool and returns its exit status. */
function toolStatus(name, toolArgs, output = null) {
  return nodeStatus([programOf(name), ...toolArgs], output)
}

/** Output goes to the terminal or to `output`. Signals end the program as if it ran alone. */
function nodeStatus(nodeArgs, output = null) {
  const stdio = output ? 'pipe' : 'inherit'
  const child = spawn(process.execPath, nodeArgs, {
    cwd: root,
    stdio: ['inherit', stdio, stdio],
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output?.push(chunk))
  // The terminal sends SIGINT to the whole process group, so only SIGTERM is forwarded.
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
 * npm sends signals to the shell between it and this process, and that shell exits without forwarding them.
 * So this process ends when its parent is gone.
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
  // An image without development tools has no lock file and needs no installation.
  if (existsSync(join(root, 'package-lock.json'))) install(root)
  await VERBS[verb]()
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}
