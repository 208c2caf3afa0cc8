import { isGood } from '../../api/client.ts'
import { RequestFailure } from '../../api/failure.ts'
import { useErrorText } from '../../text/errors.ts'

/** Waits for the answer of a deed. Gives back in words why it failed, or null when it is done. */
export function useWhy() {
  const errorText = useErrorText('change')
  return async (asked: Promise<{ kind: string; message: string }>): Promise<string | null> => {
    try {
      const answer = await asked
      return isGood(answer) ? null : errorText(answer)
    } catch (error) {
      if (error instanceof RequestFailure) return errorText(error)
      throw error
    }
  }
}
