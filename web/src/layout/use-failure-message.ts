import { isGood } from '../api/client.ts'
import { RequestFailure } from '../api/failure.ts'
import { useErrorText } from '../text/messages.ts'

/** Awaits the response of an action. Returns the error message, or null on success. */
export function useFailureMessage() {
  const errorText = useErrorText('change')
  return async (asked: Promise<{ kind: string; message: string }>): Promise<string | null> => {
    try {
      const response = await asked
      return isGood(response) ? null : errorText(response)
    } catch (error) {
      if (error instanceof RequestFailure) return errorText(error)
      throw error
    }
  }
}
