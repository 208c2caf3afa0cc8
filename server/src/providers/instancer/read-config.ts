import type { z } from 'zod'
import { ProviderError } from '../provider.ts'

/**
 * The settings of a challenge as its engine reads them. Stored ones may come from another instancer, or from a time with other
 * rules: then a ProviderError names the field.
 */
export function readConfig<Config>(schema: z.ZodType<Config>, config: unknown): Config {
  const { success, data, error } = schema.safeParse(config)
  if (success) return data
  throw invalidConfig(error)
}

export function invalidConfig(error: z.ZodError): ProviderError {
  return new ProviderError(`The instance settings of this challenge are invalid: ${problemIn(error)}`)
}

export function problemIn({ issues: [issue] }: z.ZodError): string {
  return `${['config', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'is not valid'}`
}
