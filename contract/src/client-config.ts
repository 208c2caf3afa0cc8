import { z } from 'zod'
import { UnixMs } from './fields.ts'
import { PageLink } from './pages.ts'
import { PublicDemo } from './public-demo.ts'
import { reply, route } from './route.ts'
import { PublicTracks } from './tracks.ts'
import { VisibilitySettings } from './visibility-settings.ts'

// What a client reads first about the event: docs/reference/client-config.md#reading-the-configuration

export const Sponsor = z.object({
  name: z.string(),
  icon: z.string(),
  description: z.string(),
  url: z.string().optional(),
})

export const RegistrationMode = z.enum(['open', 'code', 'approval', 'closed'])

const PublicOptions = z.record(z.string(), z.string())

export const PublicProvider = z.object({ provider: z.string(), publicOptions: PublicOptions })

/** Always lists all seven actions, protected or not. */
export const ProtectedActions = z.object({
  register: z.boolean(),
  recover: z.boolean(),
  setEmail: z.boolean(),
  instancerStart: z.boolean(),
  instancerExtend: z.boolean(),
  avatarUpload: z.boolean(),
  adminBotSubmit: z.boolean(),
})

const EventFields = {
  meta: z.object({ description: z.string(), imageUrl: z.string() }),
  homeContent: z.string(),
  sponsors: z.array(Sponsor),
  ctfName: z.string(),
  startTime: UnixMs,
  endTime: UnixMs,
  scheduled: z
    .literal(false)
    .optional()
    .describe('Only while no one has set a start; `startTime` is then far in the future.'),
  freezeTime: UnixMs.optional().describe(
    'Only until the results are published: the latest time of the standings that participants see, in Unix milliseconds.',
  ),
  prerequisites: z
    .literal(true)
    .optional()
    .describe('Some challenges are only in the lists of teams that have solved others. Absent otherwise.'),
  divisions: z.record(z.string(), z.string()),
  origin: z.string(),
  userMembers: z.boolean(),
  emailEnabled: z.boolean(),
}

/** How people take part beside teams: docs/reference/people.md */
export const PublicPeople = z.object({
  mode: z.enum(['optional', 'required']).describe('With `required`, the tokens of teams are refused.'),
  maxTeamSize: z.int(),
  lockAt: UnixMs.optional().describe(
    'From this time on, in Unix milliseconds, players neither join nor leave teams.',
  ),
  providers: z
    .array(z.object({ id: z.string(), label: z.string() }))
    .optional()
    .describe('Sites with whose accounts people sign in. Absent if there are none.'),
  individual: z.literal(true).optional().describe('Each person is a team.'),
})

export const ClientConfigV1 = z.object({
  ...EventFields,
  defaultDivision: z.string().optional(),
  registrationsEnabled: z.boolean().optional(),
  faviconUrl: z.string().optional(),
  extrank: z.object({ clientId: z.string() }).optional(),
  globalSiteTag: z.string().optional(),
  legacyCaptcha: z.object({ siteKey: z.string(), protectedActions: z.array(z.string()) }).optional(),
})

export const ClientConfigV2 = z.object({
  ...EventFields,
  defaultDivision: z.string().nullable(),
  registrationsEnabled: z.boolean().nullable(),
  faviconUrl: z.string().nullable(),
  logoLightUrl: z.string().nullable(),
  logoDarkUrl: z.string().nullable(),
  extrank: z
    .object({
      clientId: z.string(),
      authorizeUrl: z.string(),
      callbackPath: z
        .string()
        .optional()
        .describe('Path of the return address, if it is not `/integrations/extrank/callback`.'),
    })
    .nullable(),
  flagFormatPlaceholder: z.string(),
  analytics: PublicProvider.nullable(),
  captcha: PublicProvider.extend({ protectedEndpoints: ProtectedActions }).nullable(),
  instancerEnabled: z.boolean(),
  adminBotEnabled: z.literal(true).optional().describe('An admin bot is configured. Absent otherwise.'),
  isArchived: z.boolean(),
  publicDemo: PublicDemo.optional().describe('Only in a public demo.'),
  people: PublicPeople.optional().describe('Absent if the event has teams only.'),
  registration: z
    .object({
      mode: RegistrationMode,
      opensAt: UnixMs.optional(),
      closesAt: UnixMs.optional(),
      full: z
        .enum(['waitingList', 'closed'])
        .optional()
        .describe('What happens now that all places are taken.'),
    })
    .optional()
    .describe('Absent while everyone can register, at any time: docs/reference/registration.md'),
  statistics: z
    .literal(true)
    .optional()
    .describe('Everyone sees the statistics after the end, once nothing is frozen. Absent otherwise.'),
  fields: z
    .literal(true)
    .optional()
    .describe('The organisers ask for more: docs/reference/fields.md. Absent otherwise.'),
  tracks: PublicTracks.optional().describe('Absent without tracks: docs/reference/tracks.md'),
  pages: z.array(PageLink).optional().describe('Published pages, in their order. Absent if there are none.'),
  visibility: VisibilitySettings.optional().describe(
    'Who sees which part of the event; only the parts that are not open to everyone. Absent if all are.',
  ),
  pictureSources: z
    .array(z.string())
    .optional()
    .describe(
      'Where pictures in texts may be besides the site: origins, or `https:` for everywhere. Absent if nowhere.',
    ),
})

const CONFIG_TEXT = 'Client configuration.'

export const goodClientConfigV1 = reply(200, 'goodClientConfig', CONFIG_TEXT, ClientConfigV1)
export const goodClientConfigV2 = reply(200, 'goodClientConfig', CONFIG_TEXT, ClientConfigV2)

const getClientConfig = {
  compatible: true,
  method: 'GET',
  auth: 'public',
  scope: 'read',
  shows: [],
  limitedTo: ['home'],
  summary: 'What a client shows and offers.',
} as const

export const getClientConfigV1 = route({
  ...getClientConfig,
  path: '/api/v1/integrations/client/config',
  limits: [],
  replies: [goodClientConfigV1],
})

export const getClientConfigV2 = route({
  ...getClientConfig,
  path: '/api/v2/integrations/client/config',
  limits: [],
  replies: [goodClientConfigV2],
})

/** `scheduled` and `freezeTime` as in the configuration. */
export const EventTimes = z.object({
  startTime: UnixMs,
  endTime: UnixMs,
  scheduled: z.literal(false).optional(),
  freezeTime: UnixMs.optional(),
})

export const clientConfigRouteList = [getClientConfigV1, getClientConfigV2] as const
