import { adminActionsMessages } from '../../text/en/admin-actions.ts'
import { useMessages } from '../../text/messages.ts'

/** What an action is called; one that this version of the site does not know, by its name in the log. */
export function useActionName() {
  const names: Readonly<Record<string, string>> = useMessages(adminActionsMessages).names
  return (action: string) => (Object.hasOwn(names, action) ? (names[action] ?? action) : action)
}
