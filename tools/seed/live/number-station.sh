# The number station asks five sums, 30 s each, then prints the flag. `sh number-station.sh` runs once per
# connection.
right=0
echo 'This is the number station. Five right answers open the log book.'
while [ "$right" -lt 5 ]; do
  a=$((RANDOM % 900 + 100))
  b=$((RANDOM % 900 + 100))
  printf '%d + %d = ' "$a" "$b"
  read -r -t 30 answer || exit 0
  if [ "$answer" != "$((a + b))" ]; then
    echo 'The line goes dead.'
    exit 0
  fi
  right=$((right + 1))
done
echo "Log book: $FLAG"
