import { botConfig, botSecret } from '../bot-contest.ts'
import { withMail } from '../mail.ts'
import { siteClient, startRankingSite } from '../ranking-site.ts'

export interface Deployment extends AsyncDisposable {
  readonly config: Readonly<Record<string, unknown>>
  /** What the configuration holds and no answer may show. */
  readonly secrets: readonly string[]
  /** What the admin-bot worker calls with; null where there is none. */
  readonly serviceToken: string | null
}

/** Nothing that is optional: most routes of integrations answer that they are not there. */
export async function plainDeployment(): Promise<Deployment> {
  return { config: {}, secrets: [], serviceToken: null, async [Symbol.asyncDispose]() {} }
}

export const humanCode = 'human'

/** Everything that is optional, as far as it needs nothing of the outside. */
export async function fullDeployment(): Promise<Deployment> {
  const site = await startRankingSite()
  site.teams.set('code', { id: 7, name: 'Ranked' })
  site.teams.set('odd', { id: -1, name: '\0' })
  const { tokenUrl, userUrl } = site
  return {
    config: {
      ...withMail,
      ...botConfig,
      rateLimits: {},
      instancers: { local: { name: 'instancers/memory' } },
      extrank: { ...siteClient, tokenUrl, userUrl },
      captcha: {
        provider: { name: 'captcha/static', options: { code: humanCode } },
        protectedEndpoints: ['recover', 'adminBotSubmit', 'instancerStart'],
      },
    },
    secrets: [botSecret, siteClient.clientSecret],
    serviceToken: botSecret,
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  }
}
