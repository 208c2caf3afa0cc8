import * as contract from '@pennant/contract/announcements.ts'
import { badBody, badChallenge, badUnknownUser } from '@pennant/contract/replies.ts'
import type { Database } from '../../db/database.ts'
import { on, type Actor, type Endpoint } from '../../http/handler.ts'
import { prepare, type Prepared } from '../../http/prepared.ts'
import type { AnnouncementAudience, AnnouncementRow } from '../../world/announcements.ts'
import type { WorldView } from '../../world/model.ts'
import { atomFeed } from './feed.ts'
import { visibleTo, visibleToAll } from './rules.ts'
import {
  editAnnouncement,
  insertAnnouncement,
  readEarlierVersions,
  removeAnnouncement,
  type AnnouncementTexts,
  type Author,
} from './store.ts'
import { announcementView } from './public-announcement.ts'
import { adminAnnouncementView } from './views.ts'

export interface AnnouncementDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
  readonly divisions: readonly string[]
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  /** The current name of the event. */
  readonly ctfName: () => string
}

export function announcementRoutes(deps: AnnouncementDeps): Endpoint[] {
  return [...playerRoutes(deps), ...readRoutes(deps), ...writeRoutes(deps)]
}

function playerRoutes({ world, now, origin, ctfName }: AnnouncementDeps): Endpoint[] {
  const momentNow = () => ({ world: world(), now: now() })
  const bodies = createSharedBodies()
  const feed = contract.getAnnouncementFeed
  return [
    on(contract.listAnnouncements, ({ team }) => {
      const moment = momentNow()
      const rows = visibleTo({ teamId: team?.id ?? null }, moment)
      return bodies.of(moment.world.announcements, rows)
    }),

    on(feed, () => {
      const rows = visibleToAll(momentNow())
      return contract.goodAnnouncementFeed(atomFeed({ origin, title: ctfName(), rows, path: feed.path }))
    }),
  ]
}

function readRoutes({ db, world }: AnnouncementDeps): Endpoint[] {
  return [
    on(contract.listAdminAnnouncements, () =>
      contract.goodAdminAnnouncements({ announcements: world().announcements.map(adminAnnouncementView) }),
    ),

    on(contract.readAdminAnnouncement, async ({ params: { id } }) => {
      const row = world().announcements.find((each) => each.id === id)
      if (!row) return contract.badAnnouncement()
      const earlier = (await readEarlierVersions(db, id)).map(({ data, ...edit }) => ({ ...data, ...edit }))
      return contract.goodAdminAnnouncement({ announcement: adminAnnouncementView(row), earlier })
    }),
  ]
}

function writeRoutes({ db, world, now, divisions }: AnnouncementDeps): Endpoint[] {
  const author = (team: Actor, ip: string): Author => ({ actorId: team.id, ip, now: now() })

  /** A reply if there is no such audience. */
  function audienceProblem(audience: AnnouncementAudience | undefined) {
    if (!audience) return null
    if ('challengeId' in audience && !world().challenge(audience.challengeId)) return badChallenge()
    if (audience.kind === 'team' && !world().team(audience.teamId)) return badUnknownUser()
    if (audience.kind === 'division' && !divisions.includes(audience.division))
      return badBody({ reason: 'data.audience.division: no such division' })
    return null
  }

  return [
    on(contract.createAnnouncement, async ({ body: { data }, team, ip }) => {
      const texts = { ...data, publishAt: data.publishAt ?? now() }
      const refusal = audienceProblem(texts.audience)
      if (refusal) return refusal
      const problem = problemOf(texts)
      if (problem !== null) return badBody({ reason: problem })
      const row = await insertAnnouncement(db, texts, author(team, ip))
      if (!row) return contract.badAnnouncementCount({ max: contract.announcementsMost.stored })
      return contract.goodAnnouncementUpdate({ announcement: adminAnnouncementView(row) })
    }),

    on(contract.updateAnnouncement, async ({ params: { id }, body: { data }, team, ip }) => {
      const { version, ...patch } = data
      const refusal = audienceProblem(patch.audience)
      if (refusal) return refusal
      const edit = { id, version, patch, author: author(team, ip), check: problemOf }
      const edited = await editAnnouncement(db, edit)
      if (!edited) return contract.badAnnouncement()
      if ('problem' in edited) return badBody({ reason: edited.problem })
      if ('version' in edited) return contract.badAnnouncementVersion(edited)
      return contract.goodAnnouncementUpdate({ announcement: adminAnnouncementView(edited.row) })
    }),

    on(contract.deleteAnnouncement, async ({ params: { id }, team, ip }) =>
      (await removeAnnouncement(db, id, author(team, ip)))
        ? contract.goodAnnouncementDelete()
        : contract.badAnnouncement(),
    ),
  ]
}

/** Messengers are public. */
function problemOf({ forward, audience }: AnnouncementTexts): string | null {
  return forward && audience.kind !== 'all' ? 'data.forward: only announcements to all are forwarded' : null
}

/** Enough for the audiences of a contest; each body is at most a megabyte. */
const MAX_BODIES = 50

/** Renders the list once for all readers that see the same announcements. */
function createSharedBodies() {
  let of: readonly AnnouncementRow[] | undefined
  const bodies = new Map<string, Prepared>()
  return {
    of(all: readonly AnnouncementRow[], rows: readonly AnnouncementRow[]): Prepared {
      if (of !== all || bodies.size >= MAX_BODIES) bodies.clear()
      of = all
      const key = rows.map(({ id }) => id).join(' ')
      const known = bodies.get(key)
      if (known) return known
      const body = prepare(contract.goodAnnouncements({ announcements: rows.map(announcementView) }))
      bodies.set(key, body)
      return body
    },
  }
}
