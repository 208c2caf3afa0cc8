import { createProviders } from '../../features/people/sign-in/providers.ts'
import type { Config } from '../../config/config.ts'
import { providerReason } from '../../features/people/sign-in/provider.ts'
import { failure, ok, unchecked, type Check } from './check.ts'

/** What is wrong with each sign-in provider that cannot be used. */
export async function providerProblems({ people, origin }: Config): Promise<string[]> {
  const providers = createProviders(people.providers, { origin, fetch, now: Date.now })
  const results = await Promise.allSettled(providers.map((provider) => provider.check()))
  return results.flatMap((result, at) =>
    result.status === 'rejected' ? [`${providers[at]?.options.id}: ${providerReason(result.reason)}`] : [],
  )
}

export const signInChecks: readonly Check[] = [
  {
    name: 'sign-in-providers',
    async run({ config }) {
      if (config.people.providers.length === 0) return unchecked('No provider is configured.')
      const problems = await providerProblems(config)
      return problems.length === 0
        ? ok()
        : failure(
            problems.join('; '),
            'Compare `issuer` with the `issuer` of its /.well-known/openid-configuration, and check outgoing connections.',
          )
    },
  },
]
