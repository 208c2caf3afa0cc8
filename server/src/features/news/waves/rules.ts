import { waveLimits, type NextWave } from '@pennant/contract/waves.ts'
import { announcementLimits } from '@pennant/contract/announcements.ts'
import type { z } from 'zod'
import type { ChallengeRow, WorldView } from '../../../world/model.ts'
import { type WaveRow, waveRows } from './rows.ts'

type Times = Pick<WorldView, 'startTime'>

/** When players first see its challenges: not before the event starts. Null without a time. */
export function openingOf({ openAt }: Pick<WaveRow, 'openAt'>, { startTime }: Times): number | null {
  return openAt === null ? null : Math.max(openAt, startTime)
}

/** The next wave that players may know of. Those that open with the event have its countdown. */
export function nextWave(world: WorldView, now: number): z.input<typeof NextWave> | null {
  for (const wave of world.rows(waveRows)) {
    const { id, countdown, openAt, name } = wave
    if (countdown && openAt !== null && openAt > now && openAt > world.startTime) {
      const announced = world
        .challenges()
        .filter((each) => each.waveId === id && !each.hidden && isNamed(each))
      return { name, opensAt: openAt, count: announced.length }
    }
  }
  return null
}

/** Names of challenges that some teams cannot see yet must not leak. */
export function isNamed({
  prerequisites = [],
  lockedShown,
}: Pick<ChallengeRow, 'prerequisites' | 'lockedShown'>): boolean {
  return prerequisites.length === 0 || lockedShown === true
}

/** Waves whose opening must be announced now. */
export function dueWaves(world: WorldView, now: number): WaveRow[] {
  return world.rows(waveRows).filter((wave) => isDue(wave, world, now))
}

export function isDue(wave: WaveRow, times: Times, now: number): boolean {
  const opening = openingOf(wave, times)
  return wave.announce && wave.announcedAt === null && opening !== null && opening <= now
}

/** A challenge whose time would change. */
export interface Rescheduled {
  readonly challenge: Pick<ChallengeRow, 'hidden' | 'releaseAt'>
  readonly isMember: boolean
  readonly releaseAt: number
}

/** Whether players see the challenge now, and would lose it or see that it was released at another time. */
export function isDisturbed(
  { challenge: { hidden, releaseAt }, isMember, releaseAt: next }: Rescheduled,
  { startTime }: Times,
  now: number,
): boolean {
  const isSeen = !hidden && now >= startTime && (releaseAt === null || releaseAt <= now)
  return isSeen && (next > now || (isMember && releaseAt !== next))
}

export const DEFAULT_TITLE = '{wave} is open'
export const DEFAULT_TEXT = '{challenges}'

type Announced = Pick<ChallengeRow, 'name' | 'category'>

/** The announcement of a wave, with its placeholders filled in. */
export function openingTexts(
  { name, title, text }: Pick<WaveRow, 'name' | 'title' | 'text'>,
  challenges: readonly Announced[],
): { title: string; content: string } {
  const categories = [...new Set(challenges.map(({ category }) => category))].toSorted()
  const plain: Readonly<Record<string, string>> = { wave: name, count: String(challenges.length) }
  const values = {
    ...plain,
    wave: escapeMarkdown(name),
    categories: categories.map(escapeMarkdown).join(', '),
    challenges: list(challenges),
  }
  // Titles are not Markdown, and one line.
  const filled = fill(title ?? DEFAULT_TITLE, { ...plain, categories: categories.join(', '), challenges: '' })
  return {
    title: filled.trim().slice(0, announcementLimits.title) || name,
    content: fill(text ?? DEFAULT_TEXT, values).slice(0, announcementLimits.content),
  }
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(wave|count|categories|challenges)\}/g, (_, key: string) => values[key] ?? '')
}

/** The rest of an announcement is the author's own text. */
const MAX_LIST = announcementLimits.content - waveLimits.text

function list(challenges: readonly Announced[]): string {
  const lines = challenges.map(
    ({ name, category }) => `- **${escapeMarkdown(name)}** (${escapeMarkdown(category)})`,
  )
  let length = 0
  const shown = lines.filter((line) => (length += line.length + 1) <= MAX_LIST - 20)
  return [...shown, ...(shown.length < lines.length ? [`- + ${lines.length - shown.length}`] : [])].join('\n')
}

/** Names are shown as they are. */
function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~]/g, '\\$&')
}
