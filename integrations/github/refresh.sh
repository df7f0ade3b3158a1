#!/usr/bin/env bash
# A refresh: explore the API, revise the specs, and open a pull request whose body is the ranked difference.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/api.sh"

read -r -a specs <<<"$SPECS"
read -r -a arguments <<<"${ARGUMENTS:-}"
: "${BASE_URL:?a refresh needs base-url}"

# Evidence that the repository keeps is of the API as it was.
docrev explore "${specs[@]}" --base-url "$BASE_URL" --out "$EVIDENCE" --fresh "${arguments[@]}"
docrev revise "${specs[@]}" --evidence "$EVIDENCE" --in-place
if [ -z "$(git status --porcelain -- "${specs[@]}")" ]; then
  echo "The documents are as they were."
  exit 0
fi

from=$(git rev-parse --short=12 HEAD)
onto=${GITHUB_REF_NAME:-$(git rev-parse --abbrev-ref HEAD)}
body=$(mktemp)
for spec in "${specs[@]}"; do
  docrev diff "$from:$spec" "$spec" --format markdown >>"$body"
done
git switch --quiet --force-create "$BRANCH"
git add -- "${specs[@]}"
for spec in "${specs[@]}"; do
  folder=$spec; [ -d "$spec" ] || folder=$(dirname "$spec")
  [ ! -f "$folder/docrev.lock" ] || git add -- "$folder/docrev.lock"
done
# What the repository keeps of evidence is what `docrev check` asks again: it goes with the texts that rest on it.
[ -z "$(git ls-files -- "$EVIDENCE")" ] || git add -- "$EVIDENCE"
git -c user.name=docrev -c user.email=docrev@users.noreply.github.com commit --quiet -m "Revise the API documentation by what the API does"
git push --quiet --force origin "$BRANCH"

owner=${GITHUB_REPOSITORY%%/*}
open=$(github GET "/repos/$GITHUB_REPOSITORY/pulls?state=open&head=$owner:$BRANCH" | pick number state open)
if [ -n "$open" ]; then
  object body=@"$body" | github PATCH "/repos/$GITHUB_REPOSITORY/pulls/$open" body >/dev/null
else
  object title="Revise the API documentation by what the API does" head="$BRANCH" base="$onto" body=@"$body" |
    github POST "/repos/$GITHUB_REPOSITORY/pulls" body >/dev/null
fi
