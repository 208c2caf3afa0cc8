import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { send } from '../../../api/client.ts'
import { OWN_KEY } from '../../../api/queries.ts'
import { useFailureMessage } from '../../../layout/use-failure-message.ts'
import { paths } from '../../../paths.ts'
import { setupMessages } from '../../../text/en/setup.ts'
import { useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { TextInput } from '../../../ui/fields/inputs.tsx'
import { useForm } from '../../../ui/form.ts'
import type { AdminChallenge } from '../checks.ts'
import styles from './setup.module.css'
import { freeChallengeId } from './steps.ts'

const MAX_NAME = 100

/** Creates a visible challenge from a name, a category and a flag. Everything else is set in the editor. */
export function ChallengeForm({ challenges }: { readonly challenges: readonly AdminChallenge[] }) {
  const text = useMessages(setupMessages)
  const client = useQueryClient()
  const failureOf = useFailureMessage()
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm({
    initial: { name: '', category: '', flag: '' },
    validate: ({ name, category, flag }) => ({
      name: name.trim() === '' ? text.required : undefined,
      category: category.trim() === '' ? text.required : undefined,
      flag: flag.trim() === '' ? text.required : undefined,
    }),
    async submit({ name, category, flag }) {
      const id = freeChallengeId(category, name, new Set(challenges.map((challenge) => challenge.id)))
      const flags = [{ provider: 'flags/static', config: { flag: flag.trim() } }]
      const data = { name: name.trim(), category: category.trim(), flags, hidden: false }
      const reason = await failureOf(send(putChallengeV2, { params: { id }, body: { data } }))
      setFailure(reason)
      if (reason === null) await client.invalidateQueries({ queryKey: [OWN_KEY] })
    },
  })
  return (
    <form className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <div className={styles.fields}>
        <TextInput required label={text.challengeName} maxLength={MAX_NAME} {...form.field('name')} />
        <TextInput required label={text.category} maxLength={MAX_NAME} {...form.field('category')} />
        <TextInput required mono label={text.flag} maxLength={MAX_NAME} {...form.field('flag')} />
      </div>
      {failure !== null && <p role="alert">{failure}</p>}
      <div className="pn-row pn-gap-3">
        <Button type="submit" tone="primary" busy={form.isSubmitting}>
          {text.publish}
        </Button>
        <Link to={paths.newChallenge()}>{text.inEditor}</Link>
      </div>
    </form>
  )
}
