import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_MS } from '@pennant/contract/durations.ts'

// The event of the demo: its phase and times, which stay the same however often it is started.

export const PHASES = ['before', 'opening', 'live', 'ended'] as const
export type Phase = (typeof PHASES)[number]

const EVENT_MS = 48 * HOUR_MS
/** Time from the start of the event to the first start of the demo. */
const ELAPSED_MS: Readonly<Record<Phase, number>> = {
  before: -2 * HOUR_MS,
  opening: -30_000,
  live: 30 * HOUR_MS,
  ended: EVENT_MS + 3 * HOUR_MS,
}
const FILE = 'demo.json'
/** The data folder of the server. */
export const DATA = 'data'

/** Unix milliseconds. */
export interface Times {
  readonly startTime: number
  readonly endTime: number
}

export interface DemoEvent extends Times {
  readonly phase: Phase
  readonly teams: number
  readonly organiserId: string
  readonly playerId: string
}

export function timesOf(phase: Phase, now: number): Times {
  const startTime = now - ELAPSED_MS[phase]
  return { startTime, endTime: startTime + EVENT_MS }
}

/** Null before the first start, and after one that was interrupted before everything was written. */
export async function readEvent(folder: string): Promise<DemoEvent | null> {
  const content = await readFile(join(folder, FILE), 'utf8').catch(() => null)
  return content === null ? null : (JSON.parse(content) as DemoEvent)
}

export async function writeEvent(folder: string, event: DemoEvent): Promise<void> {
  await writeFile(join(folder, FILE), `${JSON.stringify(event, null, 2)}\n`)
}

/** Deletes an earlier demo, and what an interrupted first start has left, but nothing else. */
export async function forgetEvent(folder: string): Promise<void> {
  for (const name of [FILE, DATA]) await rm(join(folder, name), { recursive: true, force: true })
}

export const demoConfig = {
  ctfName: 'Harbour CTF',
  homeContent: [
    '# Harbour CTF',
    '',
    'Forty-eight hours of **web, crypto, rev, pwn, forensics, osint and misc**, written by people who live by the sea.',
    'Beginners find a category `sanity` and a tag `beginner`; the rest gets harder towards the end.',
    '',
    '> [!TIP]',
    '> Bring a *life vest*. <timer/>.',
    '',
    '- Flags look like `flag{…}`.',
    '- Challenges are released in five waves: at the start and after 6, 12, 24 and 36 hours.',
    '- Share no flags with other teams, and attack nothing but the challenges.',
  ].join('\n'),
  divisions: { open: 'Open', students: 'Students' },
  defaultDivision: 'open',
  userMembers: true,
  meta: { description: 'A capture-the-flag contest by the sea.' },
  sponsors: [
    sponsor('Beacon Networks', 'Gold sponsor: the network of the finals.', 'M8 52h48L32 8z'),
    sponsor('Tidewater Hosting', 'Runs the challenge servers.', 'M4 40q14-16 28 0t28 0v12H4z'),
    sponsor(
      'Gull & Sons',
      'Stickers, coffee and sandwiches.',
      'M4 28q14-20 28 4q14-24 28-4q-14-8-28 16q-14-24-28-16z',
    ),
  ],
}

/** With a logo that is one shape, so that the demo needs no file for it. */
function sponsor(name: string, description: string, path: string) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path fill="#ff8a5c" d="${path}"/></svg>`
  return { name, description, icon: `data:image/svg+xml,${encodeURIComponent(svg)}` }
}
