import { announcementLimits } from '@pennant/contract/announcements.ts'
import { type AnnouncementRow, announcementRows } from './rows.ts'
import type { WorldView } from '../../../world/model.ts'
import { isOpenFor } from '../../contest/challenges/visible.ts'

export interface Reader {
  /** Null without a token. */
  readonly teamId: string | null
}

/** What decides who sees an announcement now. */
export interface AtMoment {
  readonly world: WorldView
  /** Unix milliseconds. */
  readonly now: number
}

/** Published, and meant for the reader: docs/reference/announcements.md#who-sees-an-announcement */
export function isVisible(row: AnnouncementRow, { teamId }: Reader, moment: AtMoment): boolean {
  const { world, now } = moment
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
export function visibleTo(reader: Reader, moment: AtMoment): AnnouncementRow[] {
  const visible = moment.world.rows(announcementRows).filter((row) => isVisible(row, reader, moment))
  const pinned = visible.filter((row) => row.pinned)
  return [...pinned, ...visible.filter((row) => !row.pinned)].slice(0, announcementLimits.shown)
}

const everyone: Reader = { teamId: null }

/** What anonymous visitors are shown, newest first. */
export function visibleToAll(moment: AtMoment): AnnouncementRow[] {
  return moment.world
    .rows(announcementRows)
    .filter((row) => isVisible(row, everyone, moment))
    .slice(0, announcementLimits.shown)
}

export function isVisibleToAll(row: AnnouncementRow, moment: AtMoment): boolean {
  return isVisible(row, everyone, moment)
}
