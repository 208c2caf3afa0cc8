import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sql from 'sql-template-tag'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { keepLog } from '../../test/log.ts'
import { openDatabase, type Database } from './database.ts'
import { isServing } from './embedded-lock.ts'
import { startEmbedded } from './embedded.ts'

const childProgram = fileURLToPath(new URL('../../test/embedded-child.ts', import.meta.url))
const nobody = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
// A checkout under a closed home cannot be run by anybody else.
const canBeNobody = isRoot && spawnSync('test', ['-r', childProgram], nobody).status === 0

// Starts and recoveries take most of a second, and several on a busy machine.
vi.setConfig({ testTimeout: 60_000 })
const limit = { timeout: 90_000 }

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pennant-embedded-'))
  await chmod(folder, 0o755)
  return folder
}

let made: string
beforeAll(async () => {
  made = await makeFolder()
  await (await start(made))[Symbol.asyncDispose]()
  return () => rm(made, { recursive: true })
})

let dataDir: string
beforeEach(async () => {
  dataDir = await makeFolder()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(dataDir, { recursive: true, force: true })
})

interface Running extends AsyncDisposable {
  readonly db: Database
  readonly pid: number
}

async function start(folder = dataDir): Promise<Running> {
  const { log } = keepLog()
  const embedded = await startEmbedded({ dataDir: folder, log })
  const db = await openDatabase({ connection: embedded.connection, log })
  return {
    db,
    pid: await readPid(folder),
    async [Symbol.asyncDispose]() {
      await db.close()
      await embedded.stop()
    },
  }
}

async function readPid(folder = dataDir): Promise<number> {
  return Number.parseInt(
    await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => ''),
    10,
  )
}

const isAlive = (pid: number) => isServing(pid, join(dataDir, 'postgres'))

/** Puts a database there without the half second that making one takes. */
function copyMade(): Promise<unknown> {
  return promisify(execFile)('cp', ['-a', join(made, 'postgres'), dataDir])
}

/** Runs the writing child; `lines` are the numbers that it printed, or what kept it from starting. */
function startChild(as: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', childProgram, dataDir], {
    ...as,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line))
  const printed = async (count: number) => {
    while (lines.length < count) await once(reader, 'line')
  }
  return { child, lines, printed, ended: once(child, 'close') }
}

describe('a start', () => {
  test('makes a database, and the next one finds what was written', async () => {
    {
      await using first = await start()
      await first.db.query(sql`create table kept as select 7 as n`)
    }
    expect(await readPid()).toBeNaN()
    await using second = await start()
    expect(await second.db.query(sql`select n from kept`)).toEqual([{ n: 7 }])
    const settings = await second.db.query(sql`
      select name, setting from pg_settings
      where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses') order by name`)
    expect(settings).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'listen_addresses', setting: '' },
      { name: 'synchronous_commit', setting: 'on' },
    ])
  })

  test('works where the path is longer than a socket address', async () => {
    const long = join(dataDir, 'a'.repeat(90), 'b'.repeat(90))
    await using running = await start(long)
    expect(await running.db.query(sql`select 1 as n`)).toEqual([{ n: 1 }])
  })

  test.runIf(isRoot)('works as root in a folder that no other user can enter', async () => {
    await copyMade()
    await chmod(dataDir, 0o700)
    await using running = await start()
    expect(await running.db.query(sql`select 1 as n`)).toEqual([{ n: 1 }])
  })

  test.runIf(isRoot)('works there also without the means to make a user namespace', async () => {
    await chmod(dataDir, 0o700)
    vi.stubEnv('PATH', '/nowhere')
    {
      await using first = await start()
      await first.db.query(sql`create table kept as select 7 as n`)
    }
    await using again = await start()
    expect(await again.db.query(sql`select n from kept`)).toEqual([{ n: 7 }])
  })

  test.runIf(isRoot)('goes on when the folder is closed to, or opened for, other users later', async () => {
    await copyMade()
    {
      await using first = await start()
      await first.db.query(sql`create table kept as select 7 as n`)
    }
    for (const mode of [0o700, 0o755]) {
      await chmod(dataDir, mode)
      await using again = await start()
      expect(await again.db.query(sql`select n from kept`)).toEqual([{ n: 7 }])
    }
  })

  test('takes no notice of a lock whose process is another program now', async () => {
    await copyMade()
    await writeFile(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${process.pid}\n/elsewhere\n1\n5432\n\n\n1 1\n`,
    )
    await writeFile(join(dataDir, 'postgres', '.s.PGSQL.5432.lock'), `${process.pid}\n`)
    await using running = await start()
    expect(running.pid).not.toBe(process.pid)
  })

  test('clears away what a killed first start left', async () => {
    await mkdir(join(dataDir, 'postgres-new-abcdef'))
    await using running = await start()
    expect(await running.db.query(sql`select 1 as n`)).toEqual([{ n: 1 }])
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres-libraries', 'postgres.log'])
  })

  test('three at once on an empty folder share one server, and the last to leave stops it', async () => {
    const all = await Promise.all([start(), start(), start()])
    const pids = new Set(all.map(({ pid }) => pid))
    expect(pids.size).toBe(1)
    const [first, ...others] = all
    await first?.[Symbol.asyncDispose]()
    for (const { db } of others) expect(await db.query(sql`select 1 as n`)).toEqual([{ n: 1 }])
    await Promise.all(others.map((other) => other[Symbol.asyncDispose]()))
    expect(await Promise.all(Array.from(pids, isAlive))).toEqual([false])
  })
})

describe('a start is refused with what to do', () => {
  test('where other files are', async () => {
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'thesis.doc'), '')
    await expect(start()).rejects.toThrow(
      /postgres holds files that are not a database: move them away, or set /,
    )
  })

  test('where another major version was', async () => {
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n')
    await expect(start()).rejects.toThrow(
      /was made by PostgreSQL 15 and this Pennant brings 18: start the version/,
    )
  })

  test('where a file is in the way', async () => {
    await writeFile(join(dataDir, 'taken'), '')
    await expect(start(join(dataDir, 'taken'))).rejects.toThrow('a file is in its way; set PENNANT_DATA_DIR')
  })

  test('where the database itself is damaged', async () => {
    await copyMade()
    await rm(join(dataDir, 'postgres', 'global', 'pg_control'))
    await expect(start()).rejects.toThrow(/the built-in database did not start: .*pg_control/)
  })

  test.runIf(canBeNobody)('where the user may not write', async () => {
    const { child, lines } = startChild(nobody)
    expect(await once(child, 'close')).toEqual([1, null])
    expect(lines).toEqual([
      `cannot use the data folder ${dataDir} (EACCES): give it to the user that runs Pennant, or set PENNANT_DATA_DIR to another folder`,
    ])
  })
})

describe('a kill', () => {
  test('of the server: it is started again, everything is there, and the same pool goes on', async () => {
    await copyMade()
    await using running = await start()
    const { db } = running
    await db.query(sql`create table kept (n integer)`)
    for (let n = 0; n < 2; n++) {
      await db.query(sql`insert into kept values (${n})`)
      const pid = await readPid()
      process.kill(pid, 'SIGKILL')
      await expect.poll(() => readPid(), limit).not.toBe(pid)
      const count = () => db.query(sql`select count(*) as n from kept`).catch(() => null)
      await expect.poll(count, limit).toEqual([{ n: n + 1 }])
    }
    expect(await isAlive(running.pid)).toBe(false)
  })

  test('of the server just before the end: what was started again is gone when the end is', async () => {
    await copyMade()
    const running = await start()
    process.kill(running.pid, 'SIGKILL')
    await expect.poll(() => readPid(), limit).not.toBe(running.pid)
    const pid = await readPid()
    await running[Symbol.asyncDispose]()
    expect(await isAlive(pid)).toBe(false)
  })

  test('of the parent while it writes: the server is adopted with every acknowledged row', async () => {
    await copyMade()
    const { child, lines, printed, ended } = startChild()
    await printed(200)
    const pid = await readPid()
    child.kill('SIGKILL')
    await ended
    await using running = await start()
    expect(running.pid).toBe(pid)
    const rows = await running.db.query<{ n: number }>(sql`select n from written order by n`)
    expect(rows.slice(0, lines.length).map(({ n }) => String(n))).toEqual(lines)
    // The one that was under way may be there too.
    expect(rows.length - lines.length).toBeLessThanOrEqual(1)
  })

  test('of both: recovered with every acknowledged row', async () => {
    await copyMade()
    const { child, lines, printed, ended } = startChild()
    await printed(200)
    process.kill(await readPid(), 'SIGKILL')
    child.kill('SIGKILL')
    await ended
    await using running = await start()
    const rows = await running.db.query<{ n: number }>(sql`select n from written order by n`)
    expect(rows.slice(0, lines.length).map(({ n }) => String(n))).toEqual(lines)
  })
})

test.runIf(canBeNobody)('an ordinary user runs it, and a polite end stops the server', async () => {
  await chown(dataDir, nobody.uid, nobody.gid)
  const { child, printed, ended } = startChild(nobody)
  await printed(1)
  const pid = await readPid()
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(await isAlive(pid)).toBe(false)
})
