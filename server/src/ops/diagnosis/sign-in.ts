import { createProviders } from '../../features/people/sign-in/providers.ts'
import type { Config } from '../../config/config.ts'
import { providerReason } from '../../features/people/sign-in/provider.ts'
import { needsSecondFactor, ALL_PERMISSIONS, type SecondFactorRole } from '@pennant/contract/permissions.ts'
import type { Database } from '../../db/database.ts'
import { readOrganisers } from '../../features/people/persons/organiser-store.ts'
import { permissionsOf } from '../../features/people/persons/permissions.ts'
import { failure, named, ok, unchecked, warning, type Check } from './check.ts'

/** What is wrong with each sign-in provider that cannot be used. */
export async function providerProblems({ people, origin }: Config): Promise<string[]> {
  const providers = createProviders(people.providers, { origin, fetch, now: Date.now })
  const results = await Promise.allSettled(providers.map((provider) => provider.check()))
  return results.flatMap((result, at) =>
    result.status === 'rejected' ? [`${providers[at]?.options.id}: ${providerReason(result.reason)}`] : [],
  )
}

/** People whose permissions need a second factor, and how many owners have had one. */
async function countHolders(db: Database, demanded: readonly SecondFactorRole[]) {
  const people = (await readOrganisers(db)).map((row) => {
    const { perms } = permissionsOf({ perms: row.teamPerms }, { person: row, isConfirmed: true }, demanded)
    return { name: row.name, hasFactor: row.hasFactor, perms }
  })
  return {
    holders: people.filter(({ perms }) => needsSecondFactor(perms, demanded)),
    owners: people.filter(
      (each) =>
        each.perms === ALL_PERMISSIONS && (each.hasFactor || !needsSecondFactor(each.perms, demanded)),
    ).length,
  }
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
  {
    name: 'second-factor',
    needsDatabase: true,
    async run({ config, db }) {
      const demanded = config.organisers.secondFactor
      if (demanded.length === 0) return ok('No role needs a second factor.')
      const { holders, owners } = await countHolders(db as Database, demanded)
      if (owners === 0)
        return failure(
          'A second factor is demanded, but no owner has ever used one, so no one can sign in as owner.',
          "`pennant admin link <email>` prints a link that signs in an organisers' team on this machine's word. With it, add a person under Organise, People, and let them add a passkey.",
        )
      const without = holders.filter(({ hasFactor }) => !hasFactor).map(({ name }) => name)
      return without.length === 0
        ? ok()
        : warning(
            `Without a second factor, and so without permissions: ${named(without)}.`,
            'They add a passkey under Settings, Ways to sign in.',
          )
    },
  },
]
