import { errorMessages } from './en/errors.ts'
import { errorText, type Failed, type RequestKind } from './error-text.ts'
import { useMessages } from './messages.ts'

/** `errorText` in the current language. */
export function useErrorText(request?: RequestKind): (failed: Failed) => string {
  const messages = useMessages(errorMessages)
  return (failed) => errorText(messages, failed, request)
}
