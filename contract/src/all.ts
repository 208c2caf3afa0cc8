import { fairPlayCaseRouteList } from './fair-play-cases.ts'
import { fairPlayRouteList } from './fair-play.ts'
import { accountRouteList } from './accounts.ts'
import { agentRouteList } from './agents.ts'
import { actionRouteList } from './actions.ts'
import { announcementRouteList } from './announcements.ts'
import { apiTokenRouteList } from './api-tokens.ts'
import { adminBotWorkerRouteList } from './admin-bot-worker.ts'
import { adminBotRouteList } from './admin-bot.ts'
import { adminChallengeRouteList } from './admin-challenges.ts'
import { adminInstanceRouteList } from './admin-instances.ts'
import { adminOrganiserRouteList } from './admin-organisers.ts'
import { adminSettingsRouteList } from './admin-settings.ts'
import { adminSubmissionRouteList } from './admin-submissions.ts'
import { adminTeamRouteList } from './admin-teams.ts'
import { adminVerificationRouteList } from './admin-verifications.ts'
import { avatarRouteList } from './avatars.ts'
import { captchaRouteList } from './captcha.ts'
import { analyticsRouteList } from './analytics.ts'
import { challengeArchiveRouteList } from './challenge-archive.ts'
import { challengeRouteList } from './challenges.ts'
import { clientConfigRouteList } from './client-config.ts'
import { deviceSignInRouteList } from './device-sign-in.ts'
import { externalAuthRouteList } from './external-auth.ts'
import { extrankExportRouteList } from './extrank-export.ts'
import { extrankRouteList } from './extrank.ts'
import { flagTrialRouteList } from './flag-trials.ts'
import { healthRouteList } from './health.ts'
import { instanceRouteList } from './instances.ts'
import { leaderboardRouteList } from './leaderboard.ts'
import { mailingRouteList } from './mailings.ts'
import { messageRouteList } from './messages.ts'
import { openIdRouteList } from './openid.ts'
import { pageRouteList } from './pages.ts'
import { overviewRouteList } from './overview.ts'
import { organiserPeopleRouteList } from './organiser-people.ts'
import { passkeyRouteList } from './passkeys.ts'
import { sessionRouteList } from './sessions.ts'
import { secondFactorRouteList } from './second-factor.ts'
import { peopleRouteList } from './people.ts'
import { personalDataRouteList } from './personal-data.ts'
import { customFieldRouteList } from './custom-fields.ts'
import { diagnosisRouteList } from './diagnosis.ts'
import { registrationRouteList } from './registration.ts'
import { replayRouteList } from './replay.ts'
import type { Route } from './route.ts'
import { hintRouteList } from './hints.ts'
import { scoreAdjustmentRouteList } from './score-adjustments.ts'
import { signInRouteList } from './sign-in.ts'
import { scoreRouteList } from './scores.ts'
import { statisticsRouteList } from './statistics.ts'
import { statusRouteList } from './status.ts'
import { streamRouteList } from './stream.ts'
import { submissionRouteList } from './submissions.ts'
import { teamRouteList } from './teams.ts'
import { uploadRouteList } from './uploads.ts'
import { waveCheckRouteList } from './wave-checks.ts'
import { contestImportRouteList } from './contest-import.ts'
import { waveRouteList } from './waves.ts'

/** Every route of the API. The router serves only the routes of this list. */
export const allRoutes: readonly Route[] = [
  ...accountRouteList,
  ...teamRouteList,
  ...apiTokenRouteList,
  ...deviceSignInRouteList,
  ...peopleRouteList,
  ...personalDataRouteList,
  ...signInRouteList,
  ...sessionRouteList,
  ...passkeyRouteList,
  ...secondFactorRouteList,
  ...customFieldRouteList,
  ...avatarRouteList,
  ...challengeRouteList,
  ...submissionRouteList,
  ...scoreRouteList,
  ...leaderboardRouteList,
  ...replayRouteList,
  ...clientConfigRouteList,
  ...streamRouteList,
  ...agentRouteList,
  ...announcementRouteList,
  ...messageRouteList,
  ...pageRouteList,
  ...mailingRouteList,
  ...statusRouteList,
  ...analyticsRouteList,
  ...captchaRouteList,
  ...extrankExportRouteList,
  ...extrankRouteList,
  ...externalAuthRouteList,
  ...openIdRouteList,
  ...adminChallengeRouteList,
  ...flagTrialRouteList,
  ...challengeArchiveRouteList,
  ...contestImportRouteList,
  ...waveRouteList,
  ...waveCheckRouteList,
  ...adminTeamRouteList,
  ...hintRouteList,
  ...scoreAdjustmentRouteList,
  ...adminOrganiserRouteList,
  ...organiserPeopleRouteList,
  ...adminVerificationRouteList,
  ...registrationRouteList,
  ...adminSubmissionRouteList,
  ...fairPlayRouteList,
  ...fairPlayCaseRouteList,
  ...adminSettingsRouteList,
  ...actionRouteList,
  ...overviewRouteList,
  ...statisticsRouteList,
  ...diagnosisRouteList,
  ...uploadRouteList,
  ...instanceRouteList,
  ...adminInstanceRouteList,
  ...adminBotRouteList,
  ...adminBotWorkerRouteList,
  ...healthRouteList,
]
