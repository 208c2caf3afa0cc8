import type { Answers, CustomField } from '@pennant/contract/custom-field-values.ts'
import { lazy, Suspense, useState } from 'react'
import { useConfig } from '../api/use-contest.ts'
import type { Response } from './answer-fields.tsx'

// Few events ask for more than a name and an address, so the inputs are loaded only there.
const Inputs = lazy(async () => ({ default: (await import('./answer-fields.tsx')).RegistrationFields }))

/** What is asked of a team or person at registration. */
export function useRegistrationFields(of: CustomField['of']) {
  const isAsked = useConfig()?.fields === true
  const [answers, setAnswers] = useState<Answers>({})
  const [response, setResponse] = useState<Response>(null)
  return {
    /** Undefined if nothing is asked. */
    given: isAsked ? answers : undefined,
    /** Shows what the response says of the answers. */
    async recorded<R extends NonNullable<Response>>(sent: Promise<R>): Promise<R> {
      const latest = await sent
      setResponse(latest)
      return latest
    },
    part: isAsked && (
      <Suspense>
        <Inputs of={of} answers={answers} response={response} onChange={setAnswers} />
      </Suspense>
    ),
  }
}
