"""What a table is about: right at once on tables like those that people bring."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.data.making import numbers, table, texts
from workbench.data.classes import positive_label
from workbench.data.dataset import target_values
from workbench.data.roles import guess_roles, guess_task, target_of

if TYPE_CHECKING:
    from workbench.data.table import Column

ROWS = 60
# By table: its columns as name:kind, and the target. A name alone is measured; b is 0 and 1, k9 whole
# numbers of nine values, c9 nine texts, no/yes two texts of which the second is rarer, many a text of many
# values, u a text that differs in every row, id a number that does, d a date.
TABLES = {
    "numbered": ("out f0 f1 f2 f3 f4", "out"),
    "y first": ("y f0 f1 f2 f3", "y"),
    "y beside a price": ("price area rooms y", "y"),
    "what is sold at a price": ("price promo:b weekday:k7 demand", "demand"),
    "what is earned at a price": ("price promo:b weekday:k7 revenue", "revenue"),
    "titanic": (
        "PassengerId:id Survived:b Pclass:k3 Name:u Sex:male/female Age SibSp:k5 Parch:k5 Ticket:many Fare "
        "Cabin:many Embarked:c3",
        "Survived",
    ),
    "seaborn titanic": (
        "survived:b pclass:k3 sex:male/female age sibsp:k5 parch:k4 fare embarked:c3 class:c3 who:c3 "
        "adult_male:b deck:c7 embark_town:c3 alive:no/yes alone:b",
        "survived",
    ),
    "adult": (
        "age workclass:c8 fnlwgt education:c16 education-num marital-status:c7 occupation:c14 "
        "relationship:c6 race:c5 sex:Male/Female capital-gain capital-loss hours-per-week "
        "native-country:c20 income:<=50K/>50K",
        "income",
    ),
    "telco": (
        "customerID:u gender:Female/Male SeniorCitizen:b Partner:No/Yes tenure Contract:c3 "
        "PaperlessBilling:No/Yes PaymentMethod:c4 MonthlyCharges TotalCharges Churn:No/Yes",
        "Churn",
    ),
    "telco first": (
        "churn:no/yes account_length area_code:k3 international_plan:no/yes total_day_charge "
        "number_customer_service_calls:k9",
        "churn",
    ),
    "bank churn": (
        "RowNumber:id CustomerId:id Surname:many CreditScore Geography:c3 Gender:Male/Female Age Tenure:k10 "
        "Balance NumOfProducts:k4 HasCrCard:b IsActiveMember:b EstimatedSalary Exited:b",
        "Exited",
    ),
    "german": (
        "checking_status:c4 duration credit_history:c5 purpose:c10 credit_amount savings_status:c5 "
        "employment:c5 personal_status:c4 age housing:c3 existing_credits:k4 job:c4 own_telephone:none/yes "
        "foreign_worker:yes/no class:good/bad",
        "class",
    ),
    "german r": (
        "checking_balance:c4 months_loan_duration credit_history:c5 amount default:no/yes "
        "existing_loans_count:k4 job:c4 dependents:k2 phone:no/yes",
        "default",
    ),
    "german kaggle": (
        "Unnamed_0:id Age Sex:male/female Job:k4 Housing:c3 Saving_accounts:c4 Credit_amount Duration "
        "Purpose:c8 Risk:good/bad",
        "Risk",
    ),
    "ames": (
        "Id:id MSSubClass:k15 MSZoning:c5 LotArea Street:Pave/Grvl OverallQual:k10 OverallCond:k9 YearBuilt "
        "GrLivArea MoSold:k12 YrSold:k5 SaleType:c9 SaleCondition:c6 SalePrice",
        "SalePrice",
    ),
    "ames dm": (
        "MS_SubClass:c16 Lot_Area Sale_Type:c9 Sale_Condition:c6 Sale_Price Longitude Latitude",
        "Sale_Price",
    ),
    "king county": (
        "id:id date:d price bedrooms:k9 bathrooms:k7 sqft_living floors:k5 waterfront:b view:k5 "
        "condition:k5 grade:k12 yr_built zipcode lat long sqft_living15",
        "price",
    ),
    "wine": (
        "fixed_acidity volatile_acidity pH sulphates alcohol quality:k6",
        "quality",
    ),
    "wine both": (
        "type:white/red fixed_acidity alcohol quality:k6",
        "quality",
    ),
    "pima": (
        "Pregnancies:k15 Glucose BloodPressure SkinThickness Insulin BMI DiabetesPedigreeFunction Age "
        "Outcome:b",
        "Outcome",
    ),
    "brfss": (
        "Diabetes_binary:b HighBP:b HighChol:b BMI Smoker:b Stroke:b HeartDiseaseorAttack:b Sex:b Age:k13 "
        "Education:k6 Income:k8",
        "Diabetes_binary",
    ),
    "heart": (
        "age sex:b cp:k4 trestbps chol fbs:b restecg:k3 thalach exang:b oldpeak slope:k3 ca:k4 thal:k4 "
        "target:b",
        "target",
    ),
    "heart cleveland": (
        "age sex:b cp:k4 trestbps chol fbs:b thal:k3 num:k5",
        "num",
    ),
    "heart 2020": (
        "HeartDisease:No/Yes BMI Smoking:No/Yes Stroke:No/Yes PhysicalHealth DiffWalking:No/Yes "
        "Sex:Male/Female Diabetic:No/Yes SleepTime SkinCancer:No/Yes",
        "HeartDisease",
    ),
    "heart failure": (
        "age anaemia:b creatinine diabetes:b ejection_fraction high_blood_pressure:b sex:b smoking:b time "
        "DEATH_EVENT:b",
        "DEATH_EVENT",
    ),
    "stroke": (
        "id:id gender:Male/Female age hypertension:b heart_disease:b ever_married:No/Yes work_type:c5 "
        "avg_glucose_level bmi smoking_status:c4 stroke:b",
        "stroke",
    ),
    "bank marketing": (
        "age job:c12 marital:c3 education:c4 default:no/yes balance housing:no/yes loan:no/yes contact:c3 "
        "day:k19 month:c12 duration campaign pdays previous poutcome:c4 y:no/yes",
        "y",
    ),
    "bank deposit": (
        "age job:c12 default:no/yes balance housing:no/yes loan:no/yes duration poutcome:c4 deposit:no/yes",
        "deposit",
    ),
    "taxi": (
        "key:u fare_amount pickup_datetime:d pickup_longitude pickup_latitude dropoff_longitude "
        "dropoff_latitude passenger_count:k6",
        "fare_amount",
    ),
    "taxi sns": (
        "pickup:d dropoff:d passengers:k6 distance fare tip tolls total color:yellow/green payment:c2 "
        "pickup_zone:many dropoff_zone:many",
        "fare",
    ),
    "taxi duration": (
        "id:u vendor_id:k2 pickup_datetime:d dropoff_datetime:d passenger_count:k6 pickup_longitude "
        "store_and_fwd_flag:N/Y trip_duration",
        "trip_duration",
    ),
    "flights": (
        "year month:k12 day dep_time sched_dep_time dep_delay arr_time sched_arr_time arr_delay carrier:c16 "
        "flight tailnum:many origin:c3 dest:many air_time distance hour:k19 minute time_hour:d",
        "arr_delay",
    ),
    "flights late": (
        "flight_date:d carrier:c9 origin:c9 dest:c9 distance late:on_time/late flight_id:id",
        "late",
    ),
    "airlines": (
        "id:id Airline:c18 Flight AirportFrom:many AirportTo:many DayOfWeek:k7 Time Length Delay:b",
        "Delay",
    ),
    "insurance": (
        "age sex:male/female bmi children:k6 smoker:no/yes region:c4 charges",
        "charges",
    ),
    "claims": (
        "policy_number:id policy_bind_date:d age incident_date:d incident_severity:c4 total_claim_amount "
        "injury_claim property_claim vehicle_claim auto_make:c14 fraud_reported:N/Y policy_id:id",
        "fraud_reported",
    ),
    "claims2": (
        "ClaimID:id PolicyStart:d Age Exposure ClaimAmount Region:c9 Year:k5",
        "ClaimAmount",
    ),
    "hotel": (
        "hotel:c2 is_canceled:b lead_time arrival_date_year:k3 arrival_date_month:c12 "
        "previous_cancellations:k9 deposit_type:c3 adr reservation_status:c3 reservation_status_date:d",
        "is_canceled",
    ),
    "loans": (
        "loan_id:id loan_amnt int_rate grade:c7 emp_title:many annual_inc issue_d:d "
        "loan_status:Fully_Paid/Charged_Off purpose:c9 addr_state:many",
        "loan_status",
    ),
    "gmsc": (
        "Unnamed_0:id SeriousDlqin2yrs:b RevolvingUtilization age NumberOfTime30-59DaysPastDueNotWorse:k9 "
        "DebtRatio MonthlyIncome NumberOfDependents:k7",
        "SeriousDlqin2yrs",
    ),
    "uci default": (
        "ID:id LIMIT_BAL SEX:k2 EDUCATION:k4 MARRIAGE:k3 AGE PAY_0:k9 BILL_AMT1 PAY_AMT6 "
        "default.payment.next.month:b",
        "default.payment.next.month",
    ),
    "attrition": (
        "Age Attrition:No/Yes BusinessTravel:c3 DailyRate Department:c3 EmployeeNumber:id "
        "JobSatisfaction:k4 MonthlyIncome OverTime:No/Yes PerformanceRating:k2 YearsAtCompany "
        "YearsWithCurrManager",
        "Attrition",
    ),
    "hr left": (
        "satisfaction_level last_evaluation number_project:k7 average_montly_hours time_spend_company:k9 "
        "Work_accident:b left:b promotion_last_5years:b sales:c10 salary:c3",
        "left",
    ),
    "california": (
        "longitude latitude housing_median_age total_rooms population households median_income "
        "median_house_value ocean_proximity:c5",
        "median_house_value",
    ),
    "cal sk": (
        "MedInc HouseAge AveRooms Population Latitude Longitude MedHouseVal",
        "MedHouseVal",
    ),
    "diamonds": (
        "carat cut:c5 color:c7 clarity:c8 depth table price x y z",
        "price",
    ),
    "tips": (
        "total_bill tip sex:Male/Female smoker:No/Yes day:c4 time:Dinner/Lunch size:k6",
        "tip",
    ),
    "mpg": (
        "mpg cylinders:k5 displacement horsepower weight acceleration model_year:k13 origin:c3 name:many",
        "mpg",
    ),
    "iris": (
        "Id:id SepalLength PetalWidth Species:c3",
        "Species",
    ),
    "credit card": (
        "Time V1 V2 V3 Amount Class:b",
        "Class",
    ),
    "bike": (
        "instant:id dteday:d season:k4 yr:k2 mnth:k12 holiday:b weathersit:k3 temp casual registered cnt",
        "cnt",
    ),
    "avocado": (
        "Unnamed:id Date:d AveragePrice Total_Volume 4046 type:conventional/organic year:k4 region:many",
        "AveragePrice",
    ),
    "ecommerce": (
        "ID:id Warehouse_block:c5 Mode_of_Shipment:c3 Customer_rating:k5 Cost_of_the_Product "
        "Discount_offered Weight_in_gms Reached.on.Time_Y.N:b",
        "Reached.on.Time_Y.N",
    ),
    "rain": (
        "Date:d Location:many MinTemp MaxTemp Rainfall RainToday:No/Yes RainTomorrow:No/Yes",
        "RainTomorrow",
    ),
    "cars": (
        "Car_Name:many Year:k9 Selling_Price Present_Price Kms_Driven Fuel_Type:c3 Seller_Type:c2 "
        "Transmission:c2 Owner:k3",
        "Selling_Price",
    ),
    "orders": (
        "order_id:id customer_id:id order_date:d amount returned:no/yes ship_date:d",
        "returned",
    ),
    "sensor": (
        "timestamp:d device_id:k9 temperature vibration failure:b reading_id:id",
        "failure",
    ),
    "rossmann": (
        "Store DayOfWeek:k7 Date:d Sales Customers Open:b Promo:b StateHoliday:c4 SchoolHoliday:b",
        "Sales",
    ),
    "airbnb": (
        "id:id name:many host_id neighbourhood:c9 latitude longitude room_type:c3 price minimum_nights "
        "number_of_reviews last_review:d availability_365",
        "price",
    ),
    "students": (
        "school:GP/MS sex:F/M age Mjob:c5 failures:k4 paid:no/yes absences G1 G2 G3",
        "G3",
    ),
    "mushroom": (
        "class:e/p cap-shape:c6 odor:c9 population:c6 habitat:c7",
        "class",
    ),
    "breast": (
        "id:id diagnosis:B/M radius_mean texture_mean area_worst",
        "diagnosis",
    ),
    "points": (
        "x y class:c2",
        "class",
    ),
    "autos": (
        "symboling:k6 make:c19 fuel-type:gas/diesel horsepower bore stroke compression-ratio city-mpg "
        "highway-mpg price",
        "price",
    ),
    "plain": (
        "a b c",
        "c",
    ),
    "plain date": (
        "a b:b c d:d id:id",
        "c",
    ),
    "life": (
        "Country:many Year:k16 Status:Developing/Developed Life_expectancy Adult_Mortality infant_deaths "
        "GDP Schooling",
        "Life_expectancy",
    ),
    "spam": (
        "v1:ham/spam v2:u",
        "v1",
    ),
    "sms": (
        "label:ham/spam text:u",
        "label",
    ),
    "lending": (
        "member_id:id term:c2 loan_amnt emp_length:k11 home_ownership:c4 bad_loan:b issue_date:d url:u",
        "bad_loan",
    ),
    "subscription": (
        "user_id:id plan:c3 signup_date:d cancelled:no/yes last_login:d country:c15",
        "cancelled",
    ),
    "houses": (
        "Suburb:many Rooms:k6 Type:c3 Price Method:c5 SellerG:many Date:d Distance Postcode",
        "Price",
    ),
    "used cars": (
        "url:u region:many price year:k19 manufacturer:c19 model:many condition:c6 odometer title_status:c6 "
        "VIN:u lat long posting_date:d",
        "price",
    ),
    "deliveries": (
        "order_no:id late:on_time/late courier:c5 distance_km ordered_at:d weather:c4",
        "late",
    ),
    "patients": (
        "patient_id:id readmitted:NO/YES age race:c5 num_medications:k19 discharge_date:d insulin:c4",
        "readmitted",
    ),
    "energy": (
        "building_id:id timestamp:d energy_kwh temperature humidity",
        "energy_kwh",
    ),
    "crops": (
        "field:c9 year:k9 yield_t_ha rainfall soil:c4 sowing_date:d",
        "yield_t_ha",
    ),
    "machines": (
        "UDI:id Product_ID:u Type:c3 Air_temperature Torque Machine_failure:b TWF:b HDF:b",
        "Machine_failure",
    ),
    "telemarketing": (
        "id:id bought:no/yes age region:c5 calls:k9 last_call:d",
        "bought",
    ),
    "glass": (
        "Id:id RI Na Mg Al Type:k6",
        "Type",
    ),
    "sales": (
        "date:d store:k9 item:k15 units_sold price promo:b",
        "units_sold",
    ),
    "movies": (
        "movie_id:id title:u genres:many budget revenue runtime release_date:d",
        "revenue",
    ),
    "phone": (
        "battery_power blue:b clock_speed dual_sim:b ram touch_screen:b price_range:k4",
        "price_range",
    ),
    "water": (
        "ph Hardness Solids Sulfate Turbidity Potability:b",
        "Potability",
    ),
    "fetal": (
        "baseline_value accelerations fetal_movement histogram_mode fetal_health:k3",
        "fetal_health",
    ),
    "cover": (
        "Elevation Aspect Slope Soil_Type:k19 Cover_Type:k7",
        "Cover_Type",
    ),
    "parkinsons": (
        "name:u MDVP_Fo jitter shimmer status:b RPDE DFA spread1 PPE",
        "status",
    ),
    "liver": (
        "Age Gender:Male/Female Total_Bilirubin Albumin is_patient:b",
        "is_patient",
    ),
    "salary": (
        "work_year:k4 experience_level:c4 job_title:many salary_in_usd remote_ratio:k3 "
        "company_location:many",
        "salary_in_usd",
    ),
    "turbofan": (
        "unit cycle s1 s2 s3 RUL",
        "RUL",
    ),
    "credit score": (
        "Customer_ID:u Month:c8 Annual_Income Num_Bank_Accounts:k9 Credit_Score:c3",
        "Credit_Score",
    ),
    "email": (
        "email_id:id opened:b clicked:b sent_at:d",
        "clicked",
    ),
    "tenure": (
        "survived_5y:b stage:c4 age tumor_size date_of_surgery:d patient:u",
        "survived_5y",
    ),
    "fraud tx": (
        "step type:c5 amount nameOrig:u oldbalanceOrg newbalanceOrig nameDest:u isFraud:b isFlaggedFraud:b",
        "isFraud",
    ),
    "income first": (
        "income:<=50K/>50K age workclass:c8 hours sex:Male/Female",
        "income",
    ),
    "premium": (
        "Age Diabetes:b BloodPressureProblems:b Height Weight NumberOfMajorSurgeries:k4 PremiumPrice",
        "PremiumPrice",
    ),
    "gps": (
        "trip_id:id fare pickup_time:d passengers:k5 zone:c9 driver_id:id",
        "fare",
    ),
    "delay": (
        "flight_no:id delay_minutes carrier:c9 dep_date:d origin:c9",
        "delay_minutes",
    ),
}


def _column(spec: str) -> Column:
    name, _, kind = spec.partition(":")
    if kind in ("", "id", "d"):
        made = numbers(name, [row + 101 if kind else 7.3 * (row * 37 % 59) for row in range(ROWS)])
        return replace(made, kind="date") if kind == "d" else made
    if "/" in kind:
        usual, rare = kind.split("/")
        return texts(name, [usual if row % 4 else rare for row in range(ROWS)])
    if kind in ("u", "many"):
        return texts(name, [f"text {row if kind == 'u' else row // 2}" for row in range(ROWS)])
    n = 2 if kind == "b" else int(kind[1:])
    codes = [row % 4 == 1 if n == 2 else row % n for row in range(ROWS)]
    return texts(name, [f"v{int(code)}" for code in codes]) if kind[0] == "c" else numbers(name, codes)


def _rare(header: str, target: str) -> str | int:
    """The class of two that every fourth row has."""
    spec = next(spec for spec in header.split() if spec.startswith(target + ":"))
    return spec.partition("/")[2] or (1 if spec.endswith(":b") else "v1")


@pytest.mark.parametrize(("header", "target"), TABLES.values(), ids=TABLES)
def test_the_target_of_tables_like_public_ones(header: str, target: str) -> None:
    made = table(*map(_column, header.split()))
    assert target_of(guess_roles(made)) == target
    column = made.column(target)
    if guess_task(column) == "binary":
        assert target_values(column, "binary")[0][1] == _rare(header, target)


@pytest.mark.parametrize("place", range(4))
def test_a_name_that_speaks_is_found_wherever_it_stands(place: int) -> None:
    specs = ["age", "region:c9", "balance"]
    specs.insert(place, "churned:no/yes")
    assert target_of(guess_roles(table(*map(_column, specs)))) == "churned"


@pytest.mark.parametrize(
    "last", ["date:d", "customer_id:id", "index:id", "comment:u", "PassengerId:id", "zipcode"]
)
def test_a_date_an_identifier_and_a_text_are_never_the_target(last: str) -> None:
    made = table(*map(_column, ["a", "b", "c", last]))
    assert target_of(guess_roles(made)) == "c"


def test_an_identifier_in_camel_case_is_no_feature() -> None:
    made = table(*map(_column, ["PassengerId:id", "orderID:id", "grid:id", "y:b"]))
    roles = {"PassengerId": "ignore", "orderID": "ignore", "grid": "feature", "y": "target"}
    assert guess_roles(made) == roles


@pytest.mark.parametrize(
    ("columns", "target"),
    [
        ("Alter Ziel Nr", "Ziel"),
        ("Ziel x1 x2", "Ziel"),
        ("a Zielgröße b", "Zielgröße"),
        ("width depth kunde:id", "depth"),
        ("width kunde:id", "width"),
        ("lfdnr:id kunde:id", "kunde"),
    ],
)
def test_numbers_of_rows_are_guessed_last_and_german_targets_are_known(columns: str, target: str) -> None:
    assert target_of(guess_roles(table(*(_column(word) for word in columns.split())))) == target


@pytest.mark.parametrize(
    ("labels", "counts", "positive"),
    [
        ([0, 1], [1, 9], 1),
        ([-1, 1], [1, 9], 1),
        ([1, 2], [70, 30], 2),
        ([1, 2], [30, 70], 1),
        (["0", "1"], [1, 9], "1"),
        ([False, True], [1, 9], True),
        (["late", "on time"], [9, 1], "late"),
        (["bad", "good"], [9, 1], "bad"),
        (["no", "yes"], [1, 9], "yes"),
        (["Charged Off", "Fully Paid"], [9, 1], "Charged Off"),
        (["default", "no default"], [9, 1], "default"),
        (["fraud", "legit"], [9, 1], "fraud"),
        (["ham", "spam"], [1, 9], "spam"),
        (["churned", "stayed"], [9, 1], "churned"),
        (["<=50K", ">50K"], [7, 3], ">50K"),
        (["B", "M"], [6, 4], "M"),
        (["red", "white"], [3, 7], "red"),
        (["red", "white"], [5, 5], "white"),
        (["red", "white"], [], "white"),
    ],
)
def test_the_positive_class(labels: list[object], counts: list[int], positive: object) -> None:
    assert positive_label(labels, "kind", counts) == positive


def test_the_name_of_a_column_marks_its_class() -> None:
    assert positive_label(["not potable", "potable"], "potable", [1, 9]) == "potable"
    assert positive_label(["basic", "premium"], "is_premium", [1, 9]) == "premium"
