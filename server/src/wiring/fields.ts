import type { Config } from '../config/config.ts'
import { adminFieldRoutes } from '../features/people/fields/admin-routes.ts'
import type { FieldsContext } from '../features/people/fields/eligibility.ts'
import { fieldFilter } from '../features/people/fields/filter.ts'
import { fieldRoutes } from '../features/people/fields/routes.ts'
import { definitionsOf, type Definitions } from '../features/site/custom-fields/definitions.ts'
import type { Endpoint } from '../http/handler.ts'
import type { Stores } from './stores.ts'

/** The fields and rules that apply now. */
export function definitionsIn(config: Config, { world }: Pick<Stores, 'world'>): () => Definitions {
  return () => definitionsOf(config, world().settings)
}

const hasPeople = ({ people }: Config) => people.mode !== 'off'

/** The filters of lists of teams by answers and eligibility. */
export function teamFilter(config: Config, stores: Stores) {
  const definitions = definitionsIn(config, stores)
  return (filter: Parameters<typeof fieldFilter>[1]) => {
    const context: FieldsContext = {
      world: stores.world(),
      definitions: definitions(),
      hasPeople: hasPeople(config),
    }
    return fieldFilter(context, filter)
  }
}

export function fieldEndpoints(config: Config, stores: Stores): Endpoint[] {
  const { db, world, visibility, follower } = stores
  const deps = {
    db,
    world,
    visibility,
    caughtUp: () => follower.catchUp(),
    definitions: definitionsIn(config, stores),
    hasPeople: hasPeople(config),
  }
  return [...fieldRoutes(deps), ...adminFieldRoutes(deps)]
}
