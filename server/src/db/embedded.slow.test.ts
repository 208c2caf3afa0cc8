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
import { recordLog } from '../../test/log.ts'
import { openDatabase, type Database } from './database.ts'
import { isServing } from './embedded-lock.ts'
import { startEmbedded } from './embedded.ts'

const childProgram = fileURLToPath(new URL('../../test/embedded-child.ts', import.meta.url))
const nobody = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
// Other users cannot run a checkout in a private home directory.
const canRunAsNobody = isRoot && spawnSync('test', ['-r', childProgram], nobody).status === 0

// A start or a recovery takes about a second, and several seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 })
const limit = { timeout: 90_000 }

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pennant-embedded-'))
  await chmod(folder, 0o755)
  return folder
}

let template: string
beforeAll(async () => {
  template = await createFolder()
  await (await start(template))[Symbol.asyncDispose]()
  return () => rm(template, { recursive: true })
})

let dataDir: string
beforeEach(async () => {
  dataDir = await createFolder()
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
  const { log } = recordLog()
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

/** Copies a database to the data folder, which is half a second faster than creating one. */
function copyTemplate(): Promise<unknown> {
  return promisify(execFile)('cp', ['-a', join(template, 'postgres'), dataDir])
}

/** Starts the child process that inserts rows. `lines` are the row numbers that it printed, or its start-up error. */
function startChild({ role = 'write', ...as }: { uid?: number; gid?: number; role?: 'write' | 'hold' } = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', childProgram, dataDir, role], {
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

describe('startEmbedded', () => {
  test('creates a database, and the next start finds its data', async () => {
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

  test('works if the path is longer than a socket address', async () => {
    const long = join(dataDir, 'a'.repeat(90), 'b'.repeat(90))
    await using running = await start(long)
    expect(await running.db.query(sql`select 1 as n`)).toEqual([{ n: 1 }])
  })

  test.runIf(isRoot)('works as root in a folder that no other user can enter', async () => {
    await copyTemplate()
    await chmod(dataDir, 0o700)
    await using running = await start()
    expect(await running.db.query(sql`select 1 as n`)).toEqual([{ n: 1 }])
  })

  test.runIf(isRoot)('works as root in such a folder without `unshare`', async () => {
    await chmod(dataDir, 0o700)
    vi.stubEnv('PATH', '/nowhere')
    {
      await using first = await start()
      await first.db.query(sql`create table kept as select 7 as n`)
    }
    await using again = await start()
    expect(await again.db.query(sql`select n from kept`)).toEqual([{ n: 7 }])
  })

  test.runIf(isRoot)('works after the folder was made private or public', async () => {
    await copyTemplate()
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

  test('ignores a lock file whose pid belongs to another program', async () => {
    await copyTemplate()
    await writeFile(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${process.pid}\n/elsewhere\n1\n5432\n\n\n1 1\n`,
    )
    await writeFile(join(dataDir, 'postgres', '.s.PGSQL.5432.lock'), `${process.pid}\n`)
    await using running = await start()
    expect(running.pid).not.toBe(process.pid)
  })

  test('deletes the folder of a first start that was killed', async () => {
    await mkdir(join(dataDir, 'postgres-new-abcdef'))
    await using running = await start()
    expect(await running.db.query(sql`select 1 as n`)).toEqual([{ n: 1 }])
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres-libraries', 'postgres.log'])
  })

  test('three processes that start on an empty folder share one server, and the last one stops it', async () => {
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

describe('startEmbedded fails with advice', () => {
  test('if the folder contains other files', async () => {
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'thesis.doc'), '')
    await expect(start()).rejects.toThrow(
      /postgres contains files that are not a database: move them, or set /,
    )
  })

  test('if the database has another major version', async () => {
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n')
    await expect(start()).rejects.toThrow(
      /was created by PostgreSQL 15, but this version of Pennant includes PostgreSQL 18: start the version/,
    )
  })

  test('if the data folder is a file', async () => {
    await writeFile(join(dataDir, 'taken'), '')
    await expect(start(join(dataDir, 'taken'))).rejects.toThrow(
      'a file with this name exists; set PENNANT_DATA_DIR',
    )
  })

  test('if the database is damaged', async () => {
    await copyTemplate()
    await rm(join(dataDir, 'postgres', 'global', 'pg_control'))
    await expect(start()).rejects.toThrow(/the built-in database did not start: .*pg_control/)
  })

  test.runIf(canRunAsNobody)('if the user cannot write to the folder', async () => {
    const { child, lines } = startChild(nobody)
    expect(await once(child, 'close')).toEqual([1, null])
    expect(lines).toEqual([
      `cannot use the data folder ${dataDir} (EACCES): make the user that runs Pennant its owner, or set PENNANT_DATA_DIR to another folder`,
    ])
  })
})

describe('SIGKILL', () => {
  test('of the server: it is restarted with all rows, and the pool reconnects', async () => {
    await copyTemplate()
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

  test(
    'of the server of several processes: one of them restarts it, and all of them reach it',
    { timeout: 120_000 },
    async () => {
      await copyTemplate()
      const holders = Array.from({ length: 4 }, () => startChild({ role: 'hold' }))
      try {
        for (const { printed } of holders) await printed(1)
        // Without the lock of the start, one of ten restarts left a server that no one could connect to for a minute.
        for (let round = 0; round < 20; round++) {
          const pid = await readPid()
          const counts = holders.map(({ lines }) => lines.length)
          process.kill(pid, 'SIGKILL')
          for (const [at, { printed }] of holders.entries()) await printed((counts[at] ?? 0) + 1)
          expect(await readPid()).not.toBe(pid)
        }
      } finally {
        for (const { child } of holders) child.kill('SIGTERM')
        for (const { ended } of holders) await ended
      }
    },
  )

  test('of the server just before stop: stop also stops the restarted server', async () => {
    await copyTemplate()
    const running = await start()
    process.kill(running.pid, 'SIGKILL')
    await expect.poll(() => readPid(), limit).not.toBe(running.pid)
    const pid = await readPid()
    await running[Symbol.asyncDispose]()
    expect(await isAlive(pid)).toBe(false)
  })

  test('of the parent while it writes: the next start attaches to the server and finds every acknowledged row', async () => {
    await copyTemplate()
    const { child, lines, printed, ended } = startChild()
    await printed(200)
    const pid = await readPid()
    child.kill('SIGKILL')
    await ended
    await using running = await start()
    expect(running.pid).toBe(pid)
    const rows = await running.db.query<{ n: number }>(sql`select n from written order by n`)
    expect(rows.slice(0, lines.length).map(({ n }) => String(n))).toEqual(lines)
    // The statement in flight may have been committed too.
    expect(rows.length - lines.length).toBeLessThanOrEqual(1)
  })

  test('of both: recovered with every acknowledged row', async () => {
    await copyTemplate()
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

test.runIf(canRunAsNobody)('runs as an ordinary user, and SIGTERM stops the server', async () => {
  await chown(dataDir, nobody.uid, nobody.gid)
  const { child, printed, ended } = startChild(nobody)
  await printed(1)
  const pid = await readPid()
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(await isAlive(pid)).toBe(false)
})
