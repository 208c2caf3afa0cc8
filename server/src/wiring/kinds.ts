import type { Config } from '../config/config.ts'
import { adjustmentKind } from '../features/contest/adjustments/kind.ts'
import { adjustmentRoutes } from '../features/contest/adjustments/routes.ts'
import { adminHintRoutes } from '../features/contest/hints/admin-routes.ts'
import { hintKind } from '../features/contest/hints/kind.ts'
import { hintRoutes } from '../features/contest/hints/routes.ts'
import type { AnyArchiveKind } from '../features/contest/kinds/archive-kind.ts'
import type { Kind } from '../features/contest/kinds/kind.ts'
import { personKind } from '../features/people/persons/kind.ts'
import { fieldKind } from '../features/people/fields/kind.ts'
import { apiTokenKind } from '../features/people/api-tokens/kind.ts'
import { externalAuthKind } from '../features/people/external-auth/kind.ts'
import { announcementKind } from '../features/news/announcements/kind.ts'
import { announcementRoutes } from '../features/news/announcements/routes.ts'
import { createAnnouncementSender } from '../features/news/announcements/sender.ts'
import { waveKind } from '../features/news/waves/kind.ts'
import { waveOpenings } from '../features/news/waves/opening.ts'
import { waveRoutes } from '../features/news/waves/routes.ts'
import { adminPageRoutes } from '../features/site/pages/admin-routes.ts'
import { pageKind } from '../features/site/pages/kind.ts'
import { pageRoutes } from '../features/site/pages/routes.ts'
import { effectiveSettings } from '../features/site/settings/rules.ts'
import type { Endpoint } from '../http/handler.ts'
import { waveCheckRoutes } from '../ops/diagnosis/waves/routes.ts'
import { createWaveChecks, type WaveChecks } from '../ops/diagnosis/waves/runner.ts'
import type { Job } from '../worker/job.ts'
import type { Senders } from '../worker/outbox.ts'
import type { AnyRowKind } from '../world/row-kind.ts'
import { checkedSubject } from './checks.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** The kinds of rows that are values: docs/decisions/0044-declare-kinds-of-rows-as-values.md */
export const featureKinds: readonly Kind[] = [
  announcementKind,
  waveKind,
  hintKind,
  adjustmentKind,
  personKind,
  fieldKind,
  pageKind,
  apiTokenKind,
  externalAuthKind,
]

/** What each process follows. */
export function rowKindsOf(kinds: readonly Kind[]): AnyRowKind[] {
  return kinds.flatMap(({ rows }) => rows)
}

/** What archives of challenges contain of them. */
export function archiveKindsOf(kinds: readonly Kind[]): AnyArchiveKind[] {
  return kinds.flatMap(({ archive }) => archive ?? [])
}

/** Checks that run in the background of a request. */
export type Checks = WaveChecks

export function openChecks(config: Config, stores: Stores, providers: Providers): Checks {
  const { db, world, now, log } = stores
  const { flags, adminBot } = providers
  const subject = checkedSubject(config, stores, providers)
  return createWaveChecks({ db, world, now, log, flags, adminBot, subject })
}

/** Endpoints of these features. */
export function kindEndpoints(config: Config, stores: Stores, waveChecks: Checks): Endpoint[] {
  const { db, world, shown, visibility, now, follower } = stores
  const { divisions, origin } = config
  const ctfName = () => effectiveSettings(config, world().settings).ctfName
  return [
    ...adjustmentRoutes({ db, visibility, now }),
    ...adminHintRoutes({ db, world, now }),
    ...hintRoutes({ db, world, shown, now, caughtUp: () => follower.catchUp() }),
    ...announcementRoutes({ db, world, now, divisions, origin, ctfName }),
    ...waveRoutes({ db, world, now }),
    ...pageRoutes({ db, world }),
    ...adminPageRoutes({ db, world }),
    ...waveCheckRoutes({ db, world, waveChecks }),
  ]
}

/** What the worker does for them. */
export function kindJobs({ db, world, now, log }: Stores): Job[] {
  return [waveOpenings({ db, world, now, log })]
}

/** What the outbox sends for them. */
export function kindSenders(options: Parameters<typeof createAnnouncementSender>[0]): Senders {
  return { announcement: createAnnouncementSender(options) }
}
