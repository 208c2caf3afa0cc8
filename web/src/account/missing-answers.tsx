import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { labelsOf, personAnswersQuery, teamAnswersQuery, useFields } from '../api/fields.ts'
import { paths } from '../paths.ts'
import { useLanguage } from '../state/preferences.ts'
import { fieldMessages } from '../text/en/fields.ts'
import { useFormat, useMessages } from '../text/messages.ts'

/** Which required answers the team or the person has not given yet. Nothing if none are missing. */
export function MissingAnswers() {
  const text = useMessages(fieldMessages)
  const format = useFormat()
  const language = useLanguage()
  const fields = useFields() ?? []
  const ofTeam = useQuery(teamAnswersQuery).data?.missing ?? []
  const ofPerson = useQuery(personAnswersQuery).data?.missing ?? []
  const labels = labelsOf(fields, [...ofTeam, ...ofPerson], language)
  if (labels.length === 0) return null
  return (
    <p role="status">
      <b>{text.missing(format.list(labels))}</b>{' '}
      <Link to={`${paths.settings()}#${ofTeam.length > 0 ? 'team-fields' : 'person-fields'}`}>
        {text.toSettings}
      </Link>
    </p>
  )
}
