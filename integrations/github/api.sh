# What both scripts share. $1 is a method, $2 a path behind the API's URL; a JSON body is read from standard input.

github() {
  curl --silent --show-error --fail-with-body --request "$1" "$GITHUB_API_URL$2" \
    --header "Authorization: Bearer $GITHUB_TOKEN" --header "Accept: application/vnd.github+json" \
    --header "Content-Type: application/json" ${3:+--data-binary @-}
}

# A member of the event that started the workflow, by its path with dots: `pull_request.number`.
event() {
  python3 -c '
import functools, json, sys
event = json.load(open(sys.argv[1], encoding="utf-8"))
print(functools.reduce(lambda value, key: (value or {}).get(key, ""), sys.argv[2].split("."), event))
' "$GITHUB_EVENT_PATH" "$1"
}

# JSON of an object with these members: NAME=@FILE is the text of a file.
object() {
  python3 -c '
import json, sys
pairs = (word.split("=", 1) for word in sys.argv[1:])
read = lambda text: open(text[1:], encoding="utf-8").read() if text.startswith("@") else text
print(json.dumps({name: read(text) for name, text in pairs}))
' "$@"
}

# The first member NAME of the objects in a list on standard input, whose member WHERE contains TEXT.
pick() {
  python3 -c '
import json, sys
name, where, text = sys.argv[1:]
print(next((str(item[name]) for item in json.load(sys.stdin) if text in str(item.get(where, ""))), ""))
' "$@"
}
