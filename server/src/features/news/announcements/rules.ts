import { announcementLimits } from '@pennant/contract/announcements.ts'
import { type AnnouncementRow, announcementRows } from './rows.ts'
import type { WorldView } from '../../../world/model.ts'
import { isOpenFor } from '../../contest/challenges/visible.ts'

export interface Reader {
  /** Null without a token. */
  readonly teamId: string | null
}

/** What decides who sees an announcement now. */
export interface WorldAt {
  readonly world: WorldView
  /** Unix milliseconds. */
  readonly now: number
}

/** Published, and meant for the reader: docs/reference/announcements.md#who-sees-an-announcement */
export function isVisible(row: AnnouncementRow, { teamId }: Reader, snapshot: WorldAt): boolean {
  const { world, now } = snapshot
  const { audience, publishAt } = row
  if (publishAt > now) return false
  if (audience.kind === 'all') return true
  const team = teamId === null ? undefined : world.team(teamId)
  if (!team) return false
  if (audience.kind === 'division') return team.division === audience.division
  if (audience.kind === 'team') return team.id === audience.teamId
  // The announcement would reveal a challenge that the team cannot see yet.
  const challenge = world.challenge(audience.challengeId)
  if (now < world.startTime || challenge?.isPublic !== true) return false
  if (!isOpenFor(world, challenge, team.id)) return false
  return world.hasSolved(audience.challengeId, team.id) === (audience.kind === 'solved')
}

/** What the reader is shown: pinned ones first, then newest first. */
export function visibleTo(reader: Reader, snapshot: WorldAt): AnnouncementRow[] {
  const visible = snapshot.world.rows(announcementRows).filter((row) => isVisible(row, reader, snapshot))
  const pinned = visible.filter((row) => row.pinned)
  return [...pinned, ...visible.filter((row) => !row.pinned)].slice(0, announcementLimits.shown)
}

const everyone: Reader = { teamId: null }

/** What anonymous visitors are shown, newest first. */
export function visibleToAll(snapshot: WorldAt): AnnouncementRow[] {
  return snapshot.world
    .rows(announcementRows)
    .filter((row) => isVisible(row, everyone, snapshot))
    .slice(0, announcementLimits.shown)
}

export function isVisibleToAll(row: AnnouncementRow, snapshot: WorldAt): boolean {
  return isVisible(row, everyone, snapshot)
}
