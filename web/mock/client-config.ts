import { getClientConfigV2, goodClientConfigV2 } from '@pennant/contract/client-config.ts'
import { answer } from './handler.ts'

const config = answer(getClientConfigV2, ({ world: { scenario, startTime, endTime } }) =>
  goodClientConfigV2({
    meta: { description: 'Two days at sea.', imageUrl: '' },
    homeContent: '# Harbour CTF\n\n> [!TIP]\n> Bring a *life vest*.',
    sponsors: [{ name: 'Nordlys Rope Works', icon: '', description: 'Holds since 1871.' }],
    ctfName: 'Harbour CTF',
    startTime,
    endTime,
    divisions: { open: 'Open' },
    origin: 'https://harbour.example',
    userMembers: true,
    emailEnabled: false,
    defaultDivision: 'open',
    registrationsEnabled: true,
    faviconUrl: null,
    logoLightUrl: null,
    logoDarkUrl: null,
    extrank: null,
    flagFormatPlaceholder: 'flag{...}',
    analytics: null,
    captcha: null,
    instancerEnabled: false,
    isArchived: scenario.phase === 'archived',
  }),
)

export const clientConfigEndpoints = [config]
