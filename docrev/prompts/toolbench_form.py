"""The words that ToolLLaMA's released weights were trained with (ToolBench, Apache-2.0), letter by letter.

Weights know the words that they learned: asked in others they answer worse. The turns are those of
`docrev.prompts.conversation`, but for the system turn, the functions' descriptions and the function that ends a task.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docrev.prompts.agents import FINISH, GIVE_ANSWER, GIVE_UP, NextAction, Sheet
from docrev.prompts.conversation import Utterance, function, turns
from docrev.records import Json

_SYSTEM = (
    "You are AutoGPT, you can use many tools(functions) to do the following task.\n"
    "First I will give you the task description, and your task start.\n"
    "At each step, you need to give your thought to analyze the status now and what to do next, with a function call to"
    " actually excute your step. Your output should follow this format:\nThought:\nAction\nAction Input:\n\n"
    "After the call, you will get the call result, and you are now in a new state.\n"
    "Then you will analyze your status now, then decide what to do next...\n"
    "After many (Thought-call) pairs, you finally perform the task, then you can give your finial answer.\n"
    "Remember: \n"
    "1.the state change is irreversible, you can't go back to one of the former state, if you want to restart the task,"
    ' say "I give up and restart".\n'
    "2.All the thought is short, at most in 5 sentence.\n"
    "3.You can do more then one trys, so if your plan is to continusly try some conditions, you can do one of the"
    " conditions per try.\n"
    "Let's Begin!\n"
    "Task description: You should use functions to help handle the real time user querys. Remember:\n"
    '1.ALWAYS call "Finish" function at the end of the task. And the final answer should contain enough information to'
    " show to the user,If you can't handle the task, or you find that function calls always fail(the function is not"
    " valid now), use function Finish->give_up_and_restart.\n"
    "2.Do not use origin tool names, use only subfunctions' names.\n"
    "You have access of the following tools:\n"
)
_FINISH: dict[str, Json] = {
    "name": FINISH,
    "description": (
        "If you think you get the result which can answer the task, call this function to give the final answer. Or, if"
        " you think you can't handle the task from this status, call this function to restart. Remember: you should"
        " ALWAYS call this function at the end of your try, and the final answer is the ONLY part that will be showed"
        " to user, so final answer should contain enough information."
    ),
    "parameters": {
        "type": "object",
        "properties": {
            "return_type": {"type": "string", "enum": [GIVE_ANSWER, GIVE_UP]},
            "final_answer": {
                "type": "string",
                "description": (
                    "The final answer you want to give the user. You should have this field if"
                    ' "return_type"=="give_answer"'
                ),
            },
        },
        "required": ["return_type"],
    },
}


def toolbench_system(sheets: Sequence[Sheet]) -> str:
    """The system turn: the task, the tools, and the functions as Python writes them."""
    tools = dict.fromkeys((sheet.key.tool, _about(sheet)) for sheet in sheets)
    listed = "".join(f"{at}.{tool}: {about}\n" for at, (tool, about) in enumerate(tools, 1))
    functions = [*(_function(sheet) for sheet in sheets), _FINISH]
    return f"{_SYSTEM}{listed}\nSpecifically, you have access to the following APIs: {functions}"


def toolbench_turns(prompt: NextAction) -> tuple[Utterance, ...]:
    """The conversation up to the next action in ToolBench's form."""
    [_, *rest] = turns(prompt)
    return (Utterance("system", toolbench_system(prompt.operations)), *rest)


def _about(sheet: Sheet) -> str:
    """What the tool is about, which a sheet tells behind the tool's name."""
    return sheet.api.removeprefix(f"{sheet.key.tool}: ")


def _function(sheet: Sheet) -> dict[str, Any]:
    told = function(sheet)
    description = (
        f'This is the subfunction for tool "{sheet.key.tool}", you can use this tool.'
        f'The description of this function is: "{sheet.description}"'
    )
    return {**told, "description": description}
