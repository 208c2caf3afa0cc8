import * as contract from '@pennant/contract/announcements.ts'
import { badBody, badChallenge, badUnknownUser } from '@pennant/contract/replies.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Actor, type Endpoint } from '../../../http/handler.ts'
import { prepare, type Prepared } from '../../../http/response/prepared.ts'
import { mayUseCaches } from '../../../lib/caching.ts'
import { type AnnouncementAudience, type AnnouncementRow, announcementRows } from './rows.ts'
import type { WorldView } from '../../../world/model.ts'
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
import { adminAnnouncementView, earlierVersionView, type Names } from './views.ts'

export interface AnnouncementDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
  /** Id to label. */
  readonly divisions: Readonly<Record<string, string>>
  /** Public URL of the site, without a trailing slash. */
  readonly origin: string
  /** The current name of the event. */
  readonly ctfName: () => string
}

export function announcementRoutes(deps: AnnouncementDeps): Endpoint[] {
  return [...playerRoutes(deps), ...readRoutes(deps), ...writeRoutes(deps)]
}

function playerRoutes({ world, now, origin, ctfName }: AnnouncementDeps): Endpoint[] {
  const currentSnapshot = () => ({ world: world(), now: now() })
  const bodies = createSharedBodies()
  const feed = contract.getAnnouncementFeed
  return [
    on(contract.listAnnouncements, ({ team }) => {
      const snapshot = currentSnapshot()
      const rows = visibleTo({ teamId: team?.id ?? null }, snapshot)
      return bodies.of(snapshot.world.rows(announcementRows), rows)
    }),

    on(feed, () => {
      const rows = visibleToAll(currentSnapshot())
      return contract.goodAnnouncementFeed(atomFeed({ origin, title: ctfName(), rows, path: feed.path }))
    }),
  ]
}

function readRoutes({ db, world, divisions }: AnnouncementDeps): Endpoint[] {
  const namesFor = ({ perms }: Actor): Names => ({ world: world(), divisions, perms })
  return [
    on(contract.listAdminAnnouncements, ({ team }) => {
      const names = namesFor(team)
      return contract.goodAdminAnnouncements({
        announcements: names.world.rows(announcementRows).map((row) => adminAnnouncementView(row, names)),
      })
    }),

    on(contract.readAdminAnnouncement, async ({ params: { id }, team }) => {
      const row = world()
        .rows(announcementRows)
        .find((each) => each.id === id)
      if (!row) return contract.badAnnouncement()
      const names = namesFor(team)
      const earlier = (await readEarlierVersions(db, id)).map((version) => earlierVersionView(version, names))
      return contract.goodAdminAnnouncement({ announcement: adminAnnouncementView(row, names), earlier })
    }),
  ]
}

function writeRoutes({ db, world, now, divisions }: AnnouncementDeps): Endpoint[] {
  const author = (team: Actor, ip: string): Author => ({ actorId: team.id, ip, now: now() })

  const saved = (row: AnnouncementRow, { perms }: Actor) =>
    contract.goodAnnouncementUpdate({
      announcement: adminAnnouncementView(row, { world: world(), divisions, perms }),
    })

  /** A reply if there is no such audience. */
  function audienceProblem(audience: AnnouncementAudience | undefined) {
    if (!audience) return null
    if ('challengeId' in audience && !world().challenge(audience.challengeId)) return badChallenge()
    if (audience.kind === 'team' && !world().team(audience.teamId)) return badUnknownUser()
    if (audience.kind === 'division' && !Object.hasOwn(divisions, audience.division))
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
      if (!row) return contract.badAnnouncementCount({ max: contract.announcementLimits.stored })
      return saved(row, team)
    }),

    on(contract.updateAnnouncement, async ({ params: { id }, body: { data }, team, ip }) => {
      const { version, publishAt, ...rest } = data
      const patch = { ...rest, publishAt: publishAt === null ? now() : publishAt }
      const refusal = audienceProblem(patch.audience)
      if (refusal) return refusal
      const edit = { id, version, patch, author: author(team, ip), check: problemOf }
      const edited = await editAnnouncement(db, edit)
      if (!edited) return contract.badAnnouncement()
      if ('problem' in edited) return badBody({ reason: edited.problem })
      if ('version' in edited) return contract.badAnnouncementVersion(edited)
      return saved(edited.row, team)
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
      const render = () => prepare(contract.goodAnnouncements({ announcements: rows.map(announcementView) }))
      if (!mayUseCaches()) return render()
      if (of !== all || bodies.size >= MAX_BODIES) bodies.clear()
      of = all
      const key = rows.map(({ id }) => id).join(' ')
      const known = bodies.get(key)
      if (known) return known
      const body = render()
      bodies.set(key, body)
      return body
    },
  }
}
