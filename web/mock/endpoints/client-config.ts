import { createCaptchaChallenge, goodCaptchaChallenge } from '@pennant/contract/captcha.ts'
import { getClientConfigV2, goodClientConfigV2 } from '@pennant/contract/client-config.ts'
import { goodStream, openStream } from '@pennant/contract/stream.ts'
import { on } from '../handler.ts'

/** The deployment's configuration; organisers override some of it. */
export const deployed = {
  ctfName: 'Harbour CTF',
  homeContent: `## Two days at sea

> [!TIP]
> Bring a *life vest*. <timer/>.

Teams of any size play **43 challenges** from the harbour's cellar to its radio mast.

- Flags look like \`flag{...}\`.
- Do not attack the lighthouse itself.

[Rules of the harbour](https://harbour.example/rules)
`,
  sponsors: [
    { name: 'Nordlys Rope Works', icon: '', description: 'Holds since 1871.', url: 'https://ropes.example' },
    { name: 'Havn Coffee', icon: '', description: 'For the night watch.' },
    { name: 'Institute of Tides', icon: '', description: 'Twice a day, every day.' },
  ],
  meta: { description: 'Two days at sea.', imageUrl: '' },
}

const config = on(getClientConfigV2, ({ world }) => {
  const { settings } = world
  return goodClientConfigV2({
    meta: {
      description: settings.meta?.description ?? deployed.meta.description,
      imageUrl: settings.meta?.imageUrl ?? deployed.meta.imageUrl,
    },
    homeContent: settings.homeContent ?? deployed.homeContent,
    sponsors: settings.sponsors ?? deployed.sponsors,
    ctfName: settings.ctfName ?? deployed.ctfName,
    startTime: world.startTime,
    endTime: world.endTime,
    divisions: { open: 'Open', students: 'Students', beginners: 'Beginners' },
    origin: 'https://harbour.example',
    userMembers: true,
    emailEnabled: true,
    defaultDivision: 'open',
    registrationsEnabled: true,
    faviconUrl: settings.faviconUrl ?? null,
    logoLightUrl: settings.logoLightUrl ?? null,
    logoDarkUrl: settings.logoDarkUrl ?? null,
    extrank: { clientId: '4711', authorizeUrl: 'https://ranking.example/oauth/authorize' },
    flagFormatPlaceholder: 'flag{...}',
    analytics: null,
    captcha: null,
    instancerEnabled: true,
    adminBotEnabled: true,
    isArchived: world.isArchived,
    ...(settings.statisticsPublic === false ? {} : { statistics: true as const }),
  })
})

/** Responds immediately, as a server does while too many browsers wait. */

/** Nothing happens automatically in the mock: the stream ends after its first event, and the site polls. */
const stream = on(openStream, ({ world }) => {
  const now = world.now()
  const { startTime, endTime } = world
  const phase = now < startTime ? 'before' : now < endTime ? 'running' : 'ended'
  return goodStream(`event: hello\ndata: ${JSON.stringify({ now, startTime, endTime, phase })}\n\n`)
})

const TASK_LIVES_MS = 600_000

/** The mock protects no action; this only makes the captcha dialog visible. The solution is 0. */
const captcha = on(createCaptchaChallenge, ({ world }) =>
  goodCaptchaChallenge({
    algorithm: 'sha-256',
    prefix: 'harbour',
    target: '4c64ee9468feb454f61a8ce1d6e631519b623d6b475fa86ad09c00d0470eefa1',
    difficulty: 1000,
    expiresAt: world.now() + TASK_LIVES_MS,
    signature: 'mock',
  }),
)

export const clientConfigEndpoints = [config, stream, captcha]
