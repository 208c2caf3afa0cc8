import { errors } from './de/errors.ts'
import { frame } from './de/frame.ts'
import { ui } from './de/ui.ts'

/**
 * The registry of the German message catalogues, by the name of the English one. Those that the frame needs at
 * the start are part of this file's chunk, the others are loaded with their pages.
 */
export const german = {
  account: async () => (await import('./de/account.ts')).account,
  adminActions: async () => (await import('./de/admin-actions.ts')).adminActions,
  adminAnnouncements: async () => (await import('./de/admin-announcements.ts')).adminAnnouncements,
  adminChallenges: async () => (await import('./de/admin-challenges.ts')).adminChallenges,
  adminClients: async () => (await import('./de/admin-clients.ts')).adminClients,
  adminExport: async () => (await import('./de/admin-export.ts')).adminExport,
  adminInstances: async () => (await import('./de/admin-instances.ts')).adminInstances,
  adminMessages: async () => (await import('./de/admin-messages.ts')).adminMessages,
  adminSettings: async () => (await import('./de/admin-settings.ts')).adminSettings,
  adminSubmissions: async () => (await import('./de/admin-submissions.ts')).adminSubmissions,
  adminTeams: async () => (await import('./de/admin-teams.ts')).adminTeams,
  adminVerifications: async () => (await import('./de/admin-verifications.ts')).adminVerifications,
  adminWaves: async () => (await import('./de/admin-waves.ts')).adminWaves,
  announcements: async () => (await import('./de/announcements.ts')).announcements,
  botApi: async () => (await import('./de/bot-api.ts')).botApi,
  ceremony: async () => (await import('./de/ceremony.ts')).ceremony,
  challenges: async () => (await import('./de/challenges.ts')).challenges,
  consent: async () => (await import('./de/consent.ts')).consent,
  dashboard: async () => (await import('./de/dashboard.ts')).dashboard,
  diagnosis: async () => (await import('./de/diagnosis.ts')).diagnosis,
  errors: async () => errors,
  frame: async () => frame,
  keys: async () => (await import('./de/keys.ts')).keys,
  home: async () => (await import('./de/home.ts')).home,
  liveParts: async () => (await import('./de/live-parts.ts')).liveParts,
  live: async () => (await import('./de/live.ts')).live,
  messages: async () => (await import('./de/messages.ts')).messages,
  notFound: async () => (await import('./de/not-found.ts')).notFound,
  organiserList: async () => (await import('./de/organiser-list.ts')).organiserList,
  profile: async () => (await import('./de/profile.ts')).profile,
  replay: async () => (await import('./de/replay.ts')).replay,
  rankingReturn: async () => (await import('./de/ranking-return.ts')).rankingReturn,
  recover: async () => (await import('./de/recover.ts')).recover,
  register: async () => (await import('./de/register.ts')).register,
  scores: async () => (await import('./de/scores.ts')).scores,
  freeze: async () => (await import('./de/freeze.ts')).freeze,
  settings: async () => (await import('./de/settings.ts')).settings,
  setup: async () => (await import('./de/setup.ts')).setup,
  signIn: async () => (await import('./de/sign-in.ts')).signIn,
  status: async () => (await import('./de/status.ts')).status,
  waves: async () => (await import('./de/waves.ts')).waves,
  ui: async () => ui,
  verify: async () => (await import('./de/verify.ts')).verify,
}
