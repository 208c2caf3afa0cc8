import { getOpenApi } from '@pennant/contract/health.ts'
import { openApi } from '@pennant/contract/openapi.ts'
import type { Route } from '@pennant/contract/route.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { preparedBytes, type Prepared } from '../../../http/response/prepared.ts'

export interface DescriptionDeps {
  readonly routes: readonly Route[]
  readonly origin: string
  readonly version: string
}

/** The OpenAPI description. Rendered on the first request, because it is large and rarely needed. */
export function descriptionRoutes({ routes, origin, version }: DescriptionDeps): Endpoint[] {
  let description: Prepared | undefined
  return [
    on(getOpenApi, () => {
      description ??= preparedBytes(Buffer.from(JSON.stringify(openApi(routes, { version, origin }))))
      return description
    }),
  ]
}
