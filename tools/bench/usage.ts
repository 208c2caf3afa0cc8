import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Processor time and memory of processes, from /proc; null where there is none.

/** Clock ticks per second of /proc on Linux. */
const TICKS_PER_S = 100
/** Fields of /proc/<pid>/stat after the name, from 0. */
const PARENT = 1
const USER = 11
const SYSTEM = 12
const WITH_ENDED_CHILDREN = [USER, SYSTEM, 13, 14]

export interface Processes {
  /** The first process of the server; the ones that it started belong to it, except for the database. */
  readonly server: number | null
  /** The first process of the database; its children belong to it. */
  readonly database: number | null
}

/** Seconds of processor time since the start of the processes. */
export interface Usage {
  readonly serverS: number | null
  readonly databaseS: number | null
}

export function usageOf({ server, database }: Processes): Usage {
  return {
    serverS:
      server === null ? null : sum(serverPids(server, database).map((pid) => secondsOf(pid, [USER, SYSTEM]))),
    databaseS:
      database === null
        ? null
        : sum([database, ...childrenOf(database)].map((pid) => secondsOf(pid, WITH_ENDED_CHILDREN))),
  }
}

function serverPids(server: number, database: number | null): number[] {
  return [server, ...childrenOf(server).filter((pid) => pid !== database)]
}

/** Resident memory of the server in MiB: the sum of its processes. */
export function serverMib({ server, database }: Processes): number | null {
  return server === null ? null : sum(serverPids(server, database).map((pid) => residentMib(pid)))
}

function sum(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>((all, value) => (value === null ? all : (all ?? 0) + value), null)
}

function statOf(pid: number): string[] | null {
  try {
    // The name, in parentheses, may contain spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? null
  } catch {
    return null
  }
}

function secondsOf(pid: number, fields: readonly number[]): number | null {
  const stat = statOf(pid)
  return stat && fields.reduce((all, at) => all + Number(stat[at]), 0) / TICKS_PER_S
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => Number(statOf(pid)?.[PARENT]) === parent)
}

/** The first process of an embedded database; null if the server uses another one. */
export function embeddedDatabasePid(dataDir: string): number | null {
  try {
    return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return null
  }
}

/** Resident memory in MiB: now, or the most so far. */
export function residentMib(pid: number | null, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number | null {
  if (pid === null) return null
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
  } catch {
    return null
  }
}
