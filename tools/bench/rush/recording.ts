import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// What a browser asks while somebody takes part in an event, as `record.ts` has seen it.

export const STEPS = [
  'open',
  'sign in',
  'challenges',
  'scoreboard',
  'challenge',
  'file',
  'wrong flag',
  'right flag',
  'wave',
] as const
export type StepName = (typeof STEPS)[number]

/**
 * The requests of each step in the order in which one browser sent them: method and path, then `as team` if the token is sent. `*` is the hash of a built file,
 * `:team`, `:challenge` and `:file` differ from team to team.
 */
export type Recording = Readonly<Record<StepName, readonly string[]>>

export interface RecordedRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly isAsTeam: boolean
}

export const recordingPath = fileURLToPath(new URL('recording.json', import.meta.url))

export function readRecording(): Recording {
  return JSON.parse(readFileSync(recordingPath, 'utf8')) as Recording
}

const HASH = /-[\w-]{8}(?=\.\w+$)/
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** The line of a request that a browser has sent. */
export function lineOf({ method, path, isAsTeam }: RecordedRequest): string {
  const named = path.startsWith('/assets/')
    ? path.replace(HASH, '-*')
    : path
        .replace(/^\/uploads\/.*/, ':file')
        .replace(/\/bench-\d+(?=[/?]|$)/, '/:challenge')
        .replaceAll(UUID, ':team')
  return `${method} ${named}${isAsTeam ? ' as team' : ''}`
}

/** The inverse of `lineOf`, except for what differs between teams. Throws if the build has no such file, or several. */
export function requestOf(line: string, assets: readonly string[]): RecordedRequest {
  const [method = '', path = '', ...rest] = line.split(' ')
  if (method !== 'GET' && method !== 'POST') throw new Error(`The recording has a request with ${method}.`)
  return { method, path: builtPath(path, assets), isAsTeam: rest.length > 0 }
}

function builtPath(path: string, assets: readonly string[]): string {
  if (!path.includes('*')) return path
  const [found, another] = assets.filter((asset) => asset.replace(HASH, '-*') === path)
  if (found === undefined)
    throw new Error(`The build has no ${path}. Record the site again: npm run bench -- --record`)
  if (another !== undefined)
    throw new Error(`${found} and ${another} are both ${path}: give one of them another name.`)
  return found
}

/** Paths of the built files. */
export function builtAssets(): string[] {
  const folder = fileURLToPath(new URL('../../../web/dist/assets', import.meta.url))
  return readdirSync(folder).map((name) => `/assets/${name}`)
}
