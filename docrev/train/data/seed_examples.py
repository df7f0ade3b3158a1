"""Seed examples for instructions: 12 about one tool, 36 about several (ToolLLM §2.2); three are shown at a time.

Each is a request of at least 30 words with the operations that it needs; the services are invented.
"""

from __future__ import annotations

import json
from random import Random

from docrev.prompts.training import Kind

SHOWN = 3
"""Seed examples of one question."""

_SINGLE = """
We have friends from Ghent over on Saturday and I would love to cook something from their home. Which Belgian
recipes take less than 40 minutes, and what exactly goes into the first one of them? | kitchen GET /recipes, kitchen
GET /recipes/{id}

Please set up a reading list called "Autumn" for our club, put "The Sea" by John Banville on it as the first book,
and then show me everything that is on the list so that I can send it round. | library POST /lists, library POST
/lists/{id}/books, library GET /lists/{id}

Our rowing club Harbour Oars meets on 14 May at seven in the morning. How windy will Ostend be at that hour, when is
high tide on the day, and at what time does the sun rise? | coast GET /wind, coast GET /tides, coast GET /sun

I am comparing phones for my mother, who mostly calls and takes pictures. Tell me the battery life of the Nokia 235,
what buyers complain about most, and which shops in Leeds have it for less than 60 pounds. | shop GET
/products/{id}, shop GET /products/{id}/reviews, shop GET /offers

For the newsletter of the Alder Street allotments I need to know which vegetables can be sown in the first week of
April in zone 8, how far apart carrots have to stand, and which pests attack them. | garden GET /calendar, garden
GET /plants/{name}, garden GET /pests

My daughter has to give a talk about Marie Curie on Thursday. List the prizes that she won with their years, the
people with whom she shared them, and two of her own sentences that a class of ten-year-olds understands. | history
GET /people/{name}/prizes, history GET /people/{name}/quotes

The invoice 2024-0917 of Brightside Ltd. has been open for weeks. Show me what it is for and when it was due, then
send them a friendly reminder, and note in their record that I did so today. | billing GET /invoices/{id}, billing
POST /reminders, billing POST /customers/{id}/notes

I would like to run ten kilometres in Porto while we are there from 3 to 5 June. Which routes along the river are
about as long, how steep are they, and which of them are lit after nine in the evening? | routes GET /search, routes
GET /routes/{id}, routes GET /routes/{id}/lighting

Somebody at the office keeps humming a tune by Bill Evans from 1959. What did he record in that year, who played the
bass on it, and which of these pieces is shorter than six minutes? | music GET /artists/{id}/recordings, music GET
/recordings/{id}

We want to adopt a quiet dog that gets along with cats. Look for adult dogs within 30 kilometres of Utrecht, tell me
what the shelter says about the character of the first two, and ask for a visit on Sunday. | shelter GET /animals,
shelter GET /animals/{id}, shelter POST /visits

The quarterly report is due and I only have half of the numbers. Give me the visitors of our site example.org for
each month from January to March, the three pages that were read most, and where those readers came from. | traffic
GET /visits, traffic GET /pages, traffic GET /referrers

Grandfather turned ninety and remembers the express between Vienna and Trieste from the fifties. Find the timetable
of 1955 for it, say at which stations it stopped, and how long the whole journey took in those days. | railways GET
/timetables, railways GET /trains/{id}
"""
_SEVERAL = """
My sister Ines lands in Porto on 3 June at 18:40. Is her flight TP1953 on time, will it rain there that evening, and
which bus takes her from the airport to Rua das Flores after seven? | flights GET /status/{flight}, weather GET
/hourly, transit GET /connections

For a talk at Brightside Ltd. I need the share price of ASML today in dollars, what that is in pounds, and three
recent headlines about chip makers that are not older than a week. | stocks GET /quote/{symbol}, rates GET /convert,
press GET /search

Book club night is on Friday! Find a short novel by Claire Keegan with fewer than 150 pages, a pub quiz question
about Ireland to start the evening with, and a stew that feeds eight people. | library GET /search, quiz GET
/questions, kitchen GET /recipes

Please put "Blue in Green" into the playlist p_77, tell me what else Bill Evans is known for, and find a documentary
about him that is shorter than two hours for the evening after the concert. | music POST /playlists/{id}/tracks,
people GET /search, films GET /search

We open a café in Maastricht in spring. How many people live in the quarter Wyck, what do flats there cost on
average, and which cafés within 500 metres have more than four stars? | census GET /areas/{code}, homes GET /prices,
places GET /nearby

My neighbour gave me forty quinces. I need two recipes for jam, the calories of a spoonful, and the names of shops
in Bruges that sell jars by the dozen and are open on Saturday afternoon. | kitchen GET /recipes, nutrition GET
/foods/{id}, places GET /shops

The school camp goes to the Ardennes from 9 to 13 September. What was the weather like there in that week of the
last years, which trails are short enough for children of eight, and where is the next hospital? | weather GET
/history, routes GET /search, places GET /nearby

I would like to thank our translator Hana with a gift. Find an anthology of Czech poems in English, have the
sentence "with all our gratitude" translated into Czech, and see what sending a parcel to Brno costs. | library GET
/search, words POST /translate, post GET /rates

Our podcast number 50 is about lighthouses. Give me three facts about the one on Fastnet Rock, a quotation on the
sea that is out of copyright, and the sound of a foghorn that we may use. | places GET /landmarks/{id}, quotes GET
/search, sounds GET /search

I bought a second-hand bicycle with the frame number WTU3391B. Was it ever reported stolen, what was its price when
it was new in 2019, and where near Leeds can somebody look at its brakes tomorrow? | registry GET /frames/{number},
shop GET /products, places GET /nearby

The board meets at noon in Helsinki and at the same moment in Singapore. Which local time is that for both, are
these days public holidays anywhere, and can you reserve the room Aurora for ninety minutes? | clock GET /convert,
holidays GET /days, rooms POST /bookings

My grandmother writes down her dreams and last night's had a heron and a red door. What do these stand for in old
books of dreams, which painter painted herons, and is there a print of one for under 40 euros? | symbols GET
/search, art GET /works, shop GET /products

We are moving from Lyon to Turin with two cats. Which papers do cats need for Italy, what does a van of twelve cubic
metres cost for that distance, and which vets in Turin speak French? | travel GET /rules, movers POST /quotes,
places GET /doctors

For the sports day I need a table of the fastest hundred metres of women over 60, the weather in Cork on 21 June,
and a supplier that engraves twenty medals within a week. | records GET /athletics, weather GET /daily, shop GET
/services

A reader claims that our article on the Rhine has a wrong length in it. Check the length of the river in two
sources, tell me when our article 8812 was last edited and by whom, and note the claim beside it. | geography GET
/rivers/{id}, facts GET /search, press GET /articles/{id}, press POST /articles/{id}/notes

My brother Jonas starts as a baker in Bremen in August. What do bakers earn there on average, how much is a room in
the quarter Neustadt, and at what time does the first tram leave in the morning? | jobs GET /wages, homes GET
/rooms, transit GET /timetables

The theatre group plays "The Seagull" in November. Find us a translation that may be performed freely, photographs
of Russian country houses around 1895, and the price of renting twelve costumes of that time. | library GET /works,
art GET /photographs, shop GET /rentals

I promised the twins a day without screens in Edinburgh on 2 July. Which museums have a workshop for six-year-olds
then, will we need umbrellas, and where can we eat pancakes afterwards for under 30 pounds? | museums GET /events,
weather GET /daily, places GET /restaurants

Our charity walks for clean water on 22 March. I need the share of people without it in Ethiopia and Laos, a map of
our 12 kilometres through Ghent, and a short poem on rivers to read out at the start. | census GET /indicators,
routes POST /routes, quotes GET /poems

The dentist gave me a list with "amoxicillin 500 mg". Does that go together with the pills for my blood pressure,
which pharmacy near Calle Mayor is open tonight, and can you remind me every eight hours? | medicine GET
/interactions, places GET /pharmacies, tasks POST /reminders

I edit a crossword for Sunday. Which rivers in Asia have four letters, what is another word for "stubborn" with
nine, and which actor called Peter won an award in 1962? Check that none of them was used this year. | geography GET
/rivers, words GET /synonyms, films GET /awards, archive GET /entries

We repaint the boat "Zeemeeuw", built in 1931. Look her up in the register, tell me which blue was usual for boats
of that yard, and how many litres we need for a hull of 38 square metres. | ships GET /vessels, colours GET /search,
paint POST /estimates

My flight to Oslo was cancelled this morning and I have to be there by six tomorrow. Which other flights are there,
what does the night train cost, and am I owed money for the flight SK1464? | flights GET /search, railways GET
/connections, claims GET /flights/{number}

For a birthday in the style of 1974 I want the ten best-selling records of that year in Britain, a cocktail that
people drank at the time, and a film from then that is not too sad to run in the background. | charts GET
/years/{year}, kitchen GET /drinks, films GET /search

The nursery asks for a new menu without nuts and eggs for five days. Propose dishes for children of three, count the
vegetables that twenty of them need, and order those from the farm Hof Linde for Monday. | kitchen GET /recipes,
nutrition POST /plans, farms POST /orders

My thesis is on storms in the North Sea. Get me the dates of all with more than eleven Beaufort since 1990, the
articles that appeared on the one of December 2013, and the damage that insurers paid for it. | weather GET /storms,
press GET /search, insurance GET /losses

We lost our cat Miso near the Vondelpark on Tuesday. Put up a notice with her chip number 528210004, tell me which
shelters took in grey cats since then, and how cold the nights have been. | shelter POST /notices, shelter GET
/animals, weather GET /history

An old letter says that the house on Kerkstraat 14 cost 9,300 guilders in 1921. What would that be today in euros,
who owned the house in that year, and is there a photograph of the street? | rates GET /historic, registry GET
/houses, archive GET /photographs

Our start-up Lumen Works looks for a name for its lamp. Which Latin words for light have five letters at most, is
one of them taken as a brand in the EU, and is the .eu address still free? | words GET /search, brands GET /marks,
domains GET /availability

I teach chess to beginners on Mondays. Find a game by Judit Polgár of fewer than 30 moves, a short film that
explains the fork, and reserve the large table in the library of Delft for ten of us. | chess GET /games, films GET
/search, rooms POST /bookings

The parish wants solar panels on the roof, which is 140 square metres and faces south. How much sun does Toledo get
in a year, what would the panels earn at today's price, and which fitters nearby are certified? | weather GET
/sunshine, energy GET /prices, places GET /trades

My uncle collects coins and turns 70. Which coin of 10 francs of 1967 would he still lack according to his list
u_311, what is it worth in good condition, and who sells one in Zürich? | collections GET /lists/{id}, coins GET
/coins, shop GET /offers

We are to sing "Abendlied" at a wedding on 8 August in Graz. Get me the text in German and English, the notes for
four voices, and the address of somebody there who can tune the old piano before. | words GET /texts, music GET
/scores, places GET /trades

The robot vacuum of my parents shows error 17 all the time. What does that mean for the model RX-2, is it still
under warranty with the receipt of 4 March 2023, and which repair shop in Aarhus takes it in? | shop GET /manuals,
shop GET /warranties, places GET /trades

A delegation from Kyoto visits our city hall next week, and I am to greet them. Teach me three polite sentences with
their sound, which flowers must not be given, and translate the mayor's short speech of welcome. | words GET
/phrases, customs GET /countries/{code}, words POST /translate

Help me plan the first frost: for my garden in Tartu at 60 metres above the sea, when did it come in the last ten
years, which of my plants on the list g_42 suffer from it, and what does fleece cost per metre? | weather GET
/history, garden GET /lists/{id}, shop GET /products
"""


def _lines(text: str) -> tuple[str, ...]:
    """The examples as the JSON that a model is to answer with."""
    lines = []
    for paragraph in text.strip().split("\n\n"):
        request, _, operations = " ".join(paragraph.split()).rpartition(" | ")
        lines.append(json.dumps({"text": request, "operations": operations.split(", ")}, ensure_ascii=False))
    return tuple(lines)


SINGLE, SEVERAL = _lines(_SINGLE), _lines(_SEVERAL)


def drawn(kind: Kind, draw: Random) -> tuple[str, ...]:
    """Three seed examples for instructions of a kind."""
    return tuple(draw.sample(SINGLE if kind == "I1" else SEVERAL, SHOWN))
